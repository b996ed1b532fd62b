"""Engine: runs in, trials out. It has no clock, no file and no state but what the runs tell."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import inf, isfinite

import numpy as np

from tightrope.records import Config, Outcome, Run, Trial
from tightrope.search.acquisition import expected_improvement, expected_improvement_log
from tightrope.search.candidates import Effort, ranked_candidates
from tightrope.search.cap import CapRule
from tightrope.search.design import Design
from tightrope.search.model import Belief, Floats, Model
from tightrope.search.observations import observe
from tightrope.search.tally import Tally
from tightrope.space import Space

_N_BEST = 10  # known configs from which local search starts


@dataclass(frozen=True, slots=True)
class Plan:
    """How an engine decides."""

    space: Space
    design: Design
    model: Model
    cap_rule: CapRule
    ceiling: float = inf
    noisy: bool = False
    seed: int = 0
    random_share: float = 0.0  # of the proposals: they are drawn, whatever the model believes
    effort: Effort = field(default_factory=Effort)


class Engine:
    """Decides trials of one task. Give it the same runs and it decides the same."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.runs: list[Run] = []
        self._tally = Tally()
        self._trials: dict[int, Trial] = {}
        self._row: dict[Config, Floats] = {}
        self.n_trials = 0

    @property
    def best(self) -> tuple[Config | None, float]:
        """The config with the smallest known cost, and that cost."""
        return self._tally.best_config, self._tally.best

    def adopt(self, trial: Trial) -> None:
        """Take a trial as under way, whoever decided it."""
        if trial.id in self._trials:
            raise ValueError(f"trial {trial.id} is known already")
        self._trials[trial.id] = trial
        self.n_trials = max(self.n_trials, trial.id + 1)
        if trial.config not in self._row:
            self._row[trial.config] = self.plan.space.encode(trial.config)
        self._tally.start(trial)

    def observe(self, outcome: Outcome) -> bool:
        """Take note of an outcome; True if there is a new best config."""
        run = Run(self._trials[outcome.trial_id], outcome)
        before = self._tally.best
        self.runs.append(run)
        self._tally.finish(run)
        return self._tally.best < before

    def decide(self, *, most: float = inf) -> Trial | None:
        """Decide the next trial, capped at `most`, and adopt it; None if no config is left."""
        number = self.n_trials
        planned = self.plan.design.next(self._tally, usual_cap=self._usual_cap())
        if planned is not None:
            config, cap = planned.config, planned.cap
        else:
            proposal = self._propose(number)
            if proposal is None:
                return None
            config, cap = proposal
        trial = Trial(number, config, min(cap, most))
        self.adopt(trial)
        return trial

    def _usual_cap(self) -> float:
        return self.plan.cap_rule.cap(self._tally.best, mean=0.0, s=inf)

    def _propose(self, number: int) -> tuple[Config, float] | None:
        rng = np.random.default_rng([self.plan.seed, number])
        observations = observe(self._tally, self.plan.space, encode=self._encode, ceiling=self.plan.ceiling)
        drawn = None
        if observations.y.size == 0 or rng.random() < self.plan.random_share:
            drawn = self._draw(rng)
        if drawn is not None or observations.y.size == 0:
            return drawn
        belief = self.plan.model.fit(observations, seed=int(rng.integers(2**31)))
        for row in self._ranked(belief, best=self._to_beat(observations.y), rng=rng):
            config = self.plan.space.decode(row)
            if self.plan.noisy or not self._tally.knows(config):
                return config, self._cap(belief, row)
        return None

    def _draw(self, rng: np.random.Generator) -> tuple[Config, float] | None:
        """Draw a random config that is new; None if so many draws gave none."""
        for row in self.plan.space.sample(self.plan.effort.n_draws, rng):
            config = self.plan.space.decode(row)
            if not self._tally.knows(config):
                return config, self._usual_cap()
        return None

    def _ranked(self, belief: Belief, *, best: float, rng: np.random.Generator) -> Iterator[Floats]:
        space = self.plan.space
        improvement = expected_improvement_log if self.plan.model.log else expected_improvement

        def score(rows: Floats) -> Floats:
            mean, s = belief(space.for_model(rows))
            return improvement(mean, s, best=best)

        return ranked_candidates(space, score, starts=self._known_best(), rng=rng, effort=self.plan.effort)

    def _cap(self, belief: Belief, row: Floats) -> float:
        mean, s = belief(self.plan.space.for_model(row[np.newaxis]))
        return self.plan.cap_rule.cap(self._tally.best, mean=float(mean[0]), s=float(s[0]))

    def _to_beat(self, y: Floats) -> float:
        """Return the smallest cost known; if there is none, the largest bound."""
        return self._tally.best if isfinite(self._tally.best) else float(y.max())

    def _known_best(self) -> Floats:
        ranked = sorted(self._tally.known(), key=lambda pair: min(pair[1].costs, default=inf))[:_N_BEST]
        return self._encode([config for config, _ in ranked])

    def _encode(self, configs: Sequence[Config]) -> Floats:
        return np.array([self._row[config] for config in configs])
