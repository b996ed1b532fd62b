"""Engine of `ablate`: outcomes in, actions out. It has no clock and no file.

First the two configs are measured, then `Strip` looks for the changes that matter, then `Path` puts them in
order. What is done next follows from the runs so far, so that a journal's runs bring a fresh engine to the
same state.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import chain, zip_longest
from math import inf

import numpy as np
from numpy.typing import NDArray

from tightrope.budget import Budget
from tightrope.compare.ablation.board import Board, Contest, Need
from tightrope.compare.ablation.changes import Changes, Chosen
from tightrope.compare.ablation.path import Path
from tightrope.compare.ablation.ranking import Fit, weigh
from tightrope.compare.ablation.strip import Strip
from tightrope.errors import TargetError
from tightrope.race.objective import Objective, score_of
from tightrope.records import (
    Cancel,
    Config,
    Decided,
    Decision,
    Event,
    Outcome,
    Run,
    Start,
    Status,
    Stop,
    StopKind,
    StopReason,
    Task,
    Trial,
)

Floats = NDArray[np.float64]

_COMPLETE = StopReason(StopKind.COMPLETE, "every change has been placed")


class Phase(Enum):
    """What the engine is doing."""

    MEASURE = "measuring the two configs"
    STRIP = "looking for the changes that matter"
    PATH = "putting them in order"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Terms:
    """What an ablation follows: tasks, how costs count, the smallest cap, and the budget, if there is one."""

    tasks: Sequence[Task]
    objective: Objective
    resolution: float
    budget: Budget | None = None


class Engine:
    """Decides which config runs on which task, under which cap.

    Parameters
    ----------
    changes : Changes
        The changes from the default to the best config.
    terms : Terms
        Tasks, objective and budget.
    fit : callable
        Adds runs to those of the tuning, and returns what the model predicts.
    """

    def __init__(self, changes: Changes, terms: Terms, fit: Fit) -> None:
        self.changes, self.terms = changes, terms
        self.board = Board(terms.tasks, terms.objective, best=changes.best, resolution=terms.resolution)
        self.phase = Phase.MEASURE
        self.strip: Strip | None = None
        self.path: Path | None = None
        self._fit = fit
        self._new_runs: list[Run] = []  # that the model has not seen
        self._contest: Contest | None = None
        self._running: dict[int, Trial] = {}
        self._cancelled: set[int] = set()
        self._tasks = frozenset(terms.tasks)
        self._n_trials = self._n_runs = 0
        self._spent = 0.0

    @property
    def n_running(self) -> int:
        """Number of trials under way."""
        return len(self._running)

    def adopt(self, what: Decision | Trial) -> None:
        """Replay a trial of a journal."""
        if isinstance(what, Trial):
            self._n_trials = max(self._n_trials, what.id + 1)
            self._running[what.id] = what

    def observe(self, outcome: Outcome) -> Sequence[Event]:
        """Learn from an outcome, and advance as far as that allows; a lost run is simply needed again."""
        trial = self._running.pop(outcome.trial_id)
        self._cancelled.discard(outcome.trial_id)
        self._spent += outcome.spent
        if outcome.status is Status.LOST or trial.task not in self._tasks:
            return ()
        if trial.id == 0 and outcome.status is Status.FAILED:
            raise TargetError(
                f"the first run, of the best config, failed: {outcome.note or 'no reason was given'}",
                config=trial.config,
                hint="fix the target, and repeat the command",
            )
        self._n_runs += 1
        self._new_runs.append(Run(trial, outcome))
        self.board.add(trial.config, trial.task, score_of(outcome))
        self._advance()
        return ()

    def spend_time(self, overhead_s: float) -> None:
        """Ignore how long a decision took."""

    def reason_to_stop(self, now_s: float) -> StopReason | None:
        """Return the limit of the budget that was reached, if any."""
        budget = self.terms.budget
        if budget is None or self.phase is Phase.DONE:
            return None
        if self._n_runs >= budget.runs:
            return StopReason(StopKind.RUNS, f"{self._n_runs} runs are done")
        return budget.exhausted(cost=self._spent, wall_s=now_s)

    def decide(self, slots: int, now_s: float) -> Decided:
        """Start the runs that are needed next, and cancel those that are not needed any more."""
        busy = {(trial.config, trial.task) for trial in self._running.values()}
        needs = list(self._needs())
        cancels = tuple(self._cancel({(need.config, need.task) for need in needs}))
        left = inf if self.terms.budget is None else self.terms.budget.cost - self._spent
        starts: list[Start] = []
        for need in needs:
            if len(starts) == slots:
                break
            if (need.config, need.task) not in busy:
                trial = Trial(self._n_trials, need.config, min(need.cap, left), need.task)
                self._n_trials += 1
                self._running[trial.id] = trial
                starts.append(Start(trial))
        if not self._running:
            return Decided(None, (Stop(_COMPLETE),))
        return Decided(None, (*cancels, *starts))

    def _cancel(self, needed: set[tuple[Config, Task]]) -> Iterator[Cancel]:
        for trial in self._running.values():
            if (trial.config, trial.task) not in needed and trial.id not in self._cancelled:
                self._cancelled.add(trial.id)
                yield Cancel(trial.id, "its contest is decided")

    def _needs(self) -> Iterator[Need]:
        """Yield the runs that are needed next; none if everything is done."""
        if self.phase is Phase.MEASURE:
            pairs = zip_longest(*map(self.board.to_measure, (self.changes.best, self.changes.default)))
            yield from (need for need in chain.from_iterable(pairs) if need is not None)
        elif self.phase is Phase.STRIP and self._contest is not None:
            yield from self._contest.needs(self.board)
        elif self.phase is Phase.PATH and self.path is not None:
            yield from self.path.needs(self.board)

    def _advance(self) -> None:
        """Go on to the next contest, step or phase, as often as what is known decides the present one."""
        if self.phase is Phase.MEASURE:
            self._begin_strip()
        if self.phase is Phase.STRIP:
            self._advance_strip()
        if self.phase is Phase.PATH:
            self._advance_path()

    def _begin_strip(self) -> None:
        best, default = self.changes.best, self.changes.default
        if self.board.is_measured(best) and self.board.is_measured(default):
            self.strip = Strip(self.changes, self.board)
            self.phase = Phase.STRIP

    def _advance_strip(self) -> None:
        assert self.strip is not None
        if self._contest is not None and not self._contest.is_over(self.board):
            return
        self.board.estimate_noise()
        self._contest = self.strip.contest()
        while self._contest is None and self.strip.kept and self.strip.has_changed:
            self.strip.begin_round(weigh(self.changes, self.strip.kept, self._predict()))
            self._contest = self.strip.contest()
        if self._contest is None:
            self.path = Path(self.changes, self.strip.kept)
            self.phase = Phase.PATH

    def _advance_path(self) -> None:
        assert self.path is not None
        while self.path.advance(self.board):
            candidates = self.path.candidates
            if not candidates:
                self.phase = Phase.DONE
                return
            self.board.estimate_noise()
            self.path.begin_step(self._ranked(candidates))

    def _ranked(self, candidates: Sequence[Chosen]) -> list[Chosen]:
        """Return the candidates of a step, the one with the smallest predicted cost first."""
        assert self.path is not None
        rows = np.array([self.changes.row(self.path.done | each) for each in candidates])
        order = np.argsort(self._predict()(rows), kind="stable")
        return [candidates[place] for place in order.tolist()]

    def _predict(self) -> Callable[[Floats], Floats]:
        runs, self._new_runs = self._new_runs, []
        return self._fit(runs)
