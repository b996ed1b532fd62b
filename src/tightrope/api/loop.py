"""Loop: what joins an optimizer and an executor until a budget is spent."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from math import inf

from tightrope.api.optimizer import Optimizer
from tightrope.api.result import History, Result
from tightrope.budget import Budget
from tightrope.errors import Severity, TargetError
from tightrope.records import Config, Outcome, Run, Status, Trial
from tightrope.run import Executor
from tightrope.run.function.call import split_note
from tightrope.run.function.reply import fault

Watch = Callable[[Run], object]

_MOST_FAILURES_AT_FIRST = 20  # nothing else came of it: the function is to blame
_MOST_LOST = 10  # in all: something kills workers
_LEAST_SHARE = 0.1  # of the largest cap under way: who could have but less would hardly tell anything
_MOST_FAILURES_IN_A_ROW = 100  # failures may be free, so that a budget of costs would never end


@dataclass(frozen=True, slots=True)
class _Started:
    """A trial under way; the last one that the budget allows may not save anything by stopping early."""

    trial: Trial
    is_last: bool


class Loop:
    """Asks, has evaluated and tells, several trials at a time, until there is a reason to stop."""

    def __init__(
        self,
        executor: Executor,
        optimizer: Optimizer,
        budget: Budget,
        *,
        watch: Watch,
        may_be_negative: bool,
        takes_cap: bool,
        log: bool,
    ) -> None:
        self._executor = executor
        self._optimizer = optimizer
        self._budget = budget
        self._watch = watch
        self._log = log
        self._may_be_negative = may_be_negative
        self._takes_cap = takes_cap
        self._start_s = executor.clock()
        self._running: dict[int, _Started] = {}
        self._evaluations = 0
        self._stopped_at: dict[Config, float] = {}
        self._spent = 0.0
        self._n_failures = 0
        self._n_in_a_row = 0
        self._n_lost = 0
        self._first_traceback = ""
        self._told_of_ignored_cap = False

    def run(self) -> Result:
        """Go on until there is a reason to stop; what is still under way then is killed."""
        try:
            with self._executor:
                while (reason := self._step()) is None:
                    pass
        except KeyboardInterrupt:
            if self._optimizer.best is None:
                raise
            reason = "it was interrupted"
        except TargetError as error:
            error.history = History(tuple(self._optimizer.runs))
            raise
        return self._optimizer.result(reason, first_traceback=self._first_traceback)

    def _step(self) -> str | None:
        """Start one trial if that is possible, and take what has ended, unless there is a reason to stop."""
        reason = self._reason_to_stop()
        if reason is not None:
            return reason
        obstacle = self._start_one()
        if obstacle is not None and not self._running:
            return obstacle
        is_full = len(self._running) == self._executor.slots
        outcomes = self._executor.wait(self._remaining_s() if is_full or obstacle else 0.0)
        for finding in self._executor.findings():
            if finding.severity is Severity.ERROR:
                raise TargetError(f"{finding.where}: {finding.message}", hint=finding.hint)
        for outcome in outcomes:
            self._take(outcome)
        return None

    def _start_one(self) -> str | None:
        """Start a trial if a slot is free; say why there is nothing to start."""
        if len(self._running) == self._executor.slots:
            return None
        most = self._most()
        if self._running and most < _LEAST_SHARE * max(each.trial.cap for each in self._running.values()):
            return "the rest of the budget is in use"
        trial = self._optimizer.ask(most=most)
        if trial is None:
            return "every config has been tried"
        is_restart = trial.cap > self._stopped_at.get(trial.config, inf)
        if not is_restart and self._evaluations >= self._budget.evaluations:
            return f"{self._evaluations} evaluations are done"
        self._evaluations += not is_restart
        self._running[trial.id] = _Started(trial, is_last=trial.cap >= most)
        self._executor.start(trial)
        return None

    def _most(self) -> float:
        """Return what the next trial may cost, such that all under way together cannot overrun the budget.

        One slot may have all that is left. Of several each gets its share, and more if it could do with twice
        the best cost known.
        """
        left = self._budget.cost - self._spent
        if left == inf:
            return inf
        unclaimed = left - sum(each.trial.cap for each in self._running.values())
        share = unclaimed / (self._executor.slots - len(self._running))
        best = self._optimizer.cost
        return share if best == inf else max(share, min(unclaimed, 2 * best))

    def _remaining_s(self) -> float | None:
        wall_s = self._budget.wall_s
        return None if wall_s == inf else max(0.0, wall_s - self._elapsed_s())

    def _elapsed_s(self) -> float:
        return self._executor.clock() - self._start_s

    def _reason_to_stop(self) -> str | None:
        if not self._may_be_negative and self._optimizer.cost == 0.0:
            return "no cost is below 0"
        if self._n_in_a_row >= _MOST_FAILURES_IN_A_ROW:
            return f"{self._n_in_a_row} evaluations in a row failed"
        if _MOST_FAILURES_AT_FIRST <= self._n_failures == len(self._optimizer.runs):
            return f"the first {self._n_failures} evaluations failed"
        return self._budget.exhausted(cost=self._spent, wall_s=self._elapsed_s())

    def _take(self, outcome: Outcome) -> None:
        started = self._running.pop(outcome.trial_id)
        if outcome.status is Status.LOST:
            self._repeat(started, outcome)
            return
        if outcome.status is Status.FAILED:
            self._fail(started.trial, outcome)
        else:
            self._succeed(started, outcome)
        self._watch(self._optimizer.runs[-1])

    def _repeat(self, started: _Started, outcome: Outcome) -> None:
        """Run a trial again whose worker died; the config is innocent."""
        self._n_lost += 1
        if self._n_lost >= _MOST_LOST:
            raise TargetError(
                f"{self._n_lost} evaluations were lost, this one because {outcome.note}",
                config=started.trial.config,
                hint="look for what kills processes on this machine, such as a lack of memory",
            )
        self._running[started.trial.id] = started
        self._executor.start(started.trial)

    def _succeed(self, started: _Started, outcome: Outcome) -> None:
        trial, capped = started.trial, outcome.status is Status.CAPPED
        self._check_sign(trial, outcome.cost)
        if capped:
            self._stopped_at[trial.config] = trial.cap
        else:
            self._stopped_at.pop(trial.config, None)
        self._n_in_a_row = 0
        self._spent += outcome.spent
        self._optimizer.tell(trial, outcome.cost, capped=capped, spent=outcome.spent)
        ignored = not capped and outcome.cost > trial.cap and not started.is_last
        if ignored and not self._told_of_ignored_cap:
            self._told_of_ignored_cap = True
            _warn(self._describe_ignored_cap(trial, outcome.cost))

    def _fail(self, trial: Trial, outcome: Outcome) -> None:
        error, traceback = split_note(outcome.note)
        self._n_failures += 1
        self._n_in_a_row += 1
        self._spent += outcome.spent
        self._optimizer.tell(trial, outcome.spent, failed=True, spent=outcome.spent, note=error)
        if not self._first_traceback:
            self._first_traceback = traceback
            _warn(f"config {dict(trial.config)} failed; the search goes on\n{traceback}")

    def _check_sign(self, trial: Trial, cost: float) -> None:
        if self._log and cost <= 0:
            raise fault(
                f"has a cost of {cost:.6g}, which has no logarithm",
                trial.config,
                hint="costs must be positive unless log=False",
            )
        if cost < 0 and not self._may_be_negative:
            raise fault(
                f"has a cost of {cost:.6g}, which can neither be capped nor charged",
                trial.config,
                hint="for costs below zero use slack=inf and a budget of evaluations or time",
            )

    def _describe_ignored_cap(self, trial: Trial, cost: float) -> str:
        remedy = "stop at the cap" if self._takes_cap else "take the cap, f(config, cap), and stop there"
        return (
            f"config {dict(trial.config)} cost {cost:.6g}, although its cap was {trial.cap:.6g}: to spend "
            f"less, {remedy}, or yield what has been spent so far"
        )


def _warn(message: str) -> None:
    warnings.warn(message, stacklevel=7)  # up _fail, _take, _step, run and minimize to its caller
