"""Engine of `minimize`: outcomes in, trials out. It has no clock and no file.

Its state follows from the trials and outcomes it was given, in their order: the same runs, the same
decisions.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf, isfinite
from typing import Final

import numpy as np

from tightrope.budget import Budget
from tightrope.records import (
    Config,
    Decided,
    Decision,
    Improved,
    Incumbent,
    Noted,
    Outcome,
    Run,
    Start,
    Status,
    Stop,
    StopKind,
    StopReason,
    Trial,
)
from tightrope.search.acquisition import expected_improvement, expected_improvement_log
from tightrope.search.candidates import ranked_candidates
from tightrope.search.limits import Limits
from tightrope.search.model import Belief, Floats
from tightrope.search.observations import observe
from tightrope.search.options import Options
from tightrope.search.tally import Tally

_N_BEST = 10  # known configs from which local search starts
_EXHAUSTED: Final = StopReason(StopKind.EXHAUSTED, "every config has been tried")


class Engine:
    """Decides trials of a single task.

    `ask` returns the next trial; `decide` fills the free slots with trials within a budget.
    """

    def __init__(self, options: Options, budget: Budget | None = None) -> None:
        self.options = options
        self.runs: list[Run] = []
        self.trajectory: list[Incumbent] = []
        self.n_trials = 0
        self.spent = 0.0
        self._limits = None if budget is None else Limits(budget, options)
        self._tally = Tally()
        self._running: dict[int, Trial] = {}
        self._known_ids: set[int] = set()
        self._began_s: dict[int, float] = {}
        self._lost: list[Trial] = []  # to be run again
        self._row: dict[Config, Floats] = {}
        self._n_decisions = 0
        self._now_s = 0.0

    @property
    def n_running(self) -> int:
        """Number of trials under way."""
        return len(self._running)

    @property
    def best(self) -> tuple[Config | None, float]:
        """The config with the smallest known mean cost, and that cost."""
        return self._tally.best_config, self._tally.best

    @property
    def pending(self) -> tuple[Trial, ...]:
        """The trials under way."""
        return tuple(self._running.values())

    def adopt(self, what: Decision | Trial) -> None:
        """Replay a decision or a trial of a journal."""
        if isinstance(what, Decision):
            self._n_decisions, self._now_s = what.number + 1, what.now_s
            return
        if what.id in self._known_ids:
            raise ValueError(f"trial {what.id} is known already")
        self._known_ids.add(what.id)
        self._running[what.id] = what
        self.n_trials = max(self.n_trials, what.id + 1)
        self._began_s[what.id] = self._now_s
        if what.config not in self._row:
            self._row[what.config] = self.options.space.encode(what.config)
        self._tally.start(what)
        is_retry = self._is_retry(what)
        if self._limits is not None:
            self._limits.start(what, is_retry=is_retry)

    def _is_retry(self, trial: Trial) -> bool:
        """Whether a trial repeats a lost one, which is then no longer to be run again."""
        for lost in self._lost:
            if (lost.config, lost.cap) == (trial.config, trial.cap):
                self._lost.remove(lost)
                return True
        return False

    def observe(self, outcome: Outcome) -> list[Improved | Noted]:
        """Learn from an outcome; return events for a new best config and for findings."""
        run = Run(self._running[outcome.trial_id], outcome)
        notes = [] if self._limits is None else self._limits.finish(run)
        del self._running[outcome.trial_id]
        began_s = self._began_s.pop(outcome.trial_id)
        if outcome.status is Status.LOST:
            self._lost.append(run.trial)
        before = self.best
        self.runs.append(run)
        self.spent += outcome.spent
        self._tally.finish(run)
        config, cost = self.best
        if config is None or (config == before[0] and cost >= before[1]):
            return list(notes)
        ended_s = began_s + outcome.wall_s
        best = Incumbent(config, cost, 1, spent=self.spent, wall_s=ended_s)
        self.trajectory.append(best)
        return [Improved(best), *notes]

    def reason_to_stop(self, now_s: float) -> StopReason | None:
        """Return why nothing more is to be started, if there is a reason."""
        return None if self._limits is None else self._limits.reason_to_stop(self._tally.best, now_s)

    def spend_time(self, overhead_s: float) -> None:
        """Ignore how long a decision took: nothing here depends on it."""

    def decide(self, slots: int, now_s: float) -> Decided:
        """Fill the free slots with trials, as far as the budget allows."""
        number, self._now_s = self._n_decisions, now_s
        self._n_decisions += 1
        starts: list[Start] = []
        obstacle: StopReason | None = None
        while len(starts) < slots and obstacle is None:
            trial, obstacle = self._next(slots - len(starts))
            if trial is not None:
                self.adopt(trial)
                starts.append(Start(trial))
        if obstacle is not None and not self._running:
            return Decided(number, (Stop(obstacle),))
        return Decided(number, tuple(starts))

    def _next(self, free: int) -> tuple[Trial | None, StopReason | None]:
        """Return the next trial, or the obstacle to one; the caller adopts it."""
        limits = self._limits
        assert limits is not None
        if self._lost:
            return replace(self._lost[0], id=self.n_trials), None
        most = limits.most(free, best=self._tally.best)
        obstacle = limits.obstacle(most)
        if obstacle is not None:
            return None, obstacle
        trial = self._planned(most)
        if trial is None:
            return None, _EXHAUSTED
        refusal = limits.refusal(trial, most=most)
        return (trial, None) if refusal is None else (None, refusal)

    def ask(self, *, most: float = inf) -> Trial | None:
        """Decide the next trial, capped at `most`, and adopt it; None if no config is left."""
        trial = self._planned(most)
        if trial is not None:
            self.adopt(trial)
        return trial

    def _planned(self, most: float) -> Trial | None:
        number = self.n_trials
        planned = self.options.design.next(self._tally, usual_cap=self._usual_cap())
        if planned is not None:
            return Trial(number, planned.config, min(planned.cap, most))
        proposal = self._propose(number)
        return None if proposal is None else Trial(number, proposal[0], min(proposal[1], most))

    def _usual_cap(self) -> float:
        return self.options.cap_rule.cap(self._tally.best, mean=0.0, s=inf)

    def _propose(self, number: int) -> tuple[Config, float] | None:
        rng = np.random.default_rng([self.options.seed, number])
        observations = observe(
            self._tally, self.options.space, encode=self._encode, ceiling=self.options.ceiling
        )
        drawn = None
        if observations.y.size == 0 or rng.random() < self.options.random_share:
            drawn = self._draw(rng)
        if drawn is not None or observations.y.size == 0:
            return drawn
        belief = self.options.model.fit(observations, seed=int(rng.integers(2**31)))
        for row in self._ranked(belief, best=self._to_beat(observations.y), rng=rng):
            config = self.options.space.decode(row)
            if self.options.noisy or not self._tally.knows(config):
                return config, self._cap(belief, row)
        return None

    def _draw(self, rng: np.random.Generator) -> tuple[Config, float] | None:
        """Draw a random config that is new; None if `effort.n_draws` draws gave none."""
        for row in self.options.space.sample(self.options.effort.n_draws, rng):
            config = self.options.space.decode(row)
            if not self._tally.knows(config):
                return config, self._usual_cap()
        return None

    def _ranked(self, belief: Belief, *, best: float, rng: np.random.Generator) -> Iterator[Floats]:
        space = self.options.space
        improvement = expected_improvement_log if self.options.model.log else expected_improvement

        def score(rows: Floats) -> Floats:
            mean, s = belief(space.for_model(rows))
            return improvement(mean, s, best=best)

        return ranked_candidates(space, score, starts=self._known_best(), rng=rng, effort=self.options.effort)

    def _cap(self, belief: Belief, row: Floats) -> float:
        mean, s = belief(self.options.space.for_model(row[np.newaxis]))
        return self.options.cap_rule.cap(self._tally.best, mean=float(mean[0]), s=float(s[0]))

    def _to_beat(self, y: Floats) -> float:
        """Return the smallest known cost or, without any, the largest bound."""
        return self._tally.best if isfinite(self._tally.best) else float(y.max())

    def _known_best(self) -> Floats:
        ranked = sorted(self._tally.known(), key=lambda pair: min(pair[1].costs, default=inf))[:_N_BEST]
        return self._encode([config for config, _ in ranked])

    def _encode(self, configs: Sequence[Config]) -> Floats:
        return np.array([self._row[config] for config in configs])
