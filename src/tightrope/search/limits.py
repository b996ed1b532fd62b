"""Limits of a search: its budget, shared between slots, and the reasons to stop."""

from math import inf
from typing import Final

from tightrope.budget import Budget
from tightrope.errors import Finding, Severity, TargetError
from tightrope.records import Config, Noted, Run, Status, StopKind, StopReason, Trial
from tightrope.search.options import Options

_MOST_FAILURES_AT_FIRST = 20  # without any other outcome: the function is broken
_MOST_FAILURES_IN_A_ROW = 100  # failures may be free, so a budget of costs alone might never end
_LEAST_SHARE = 0.1  # of the largest cap under way: a smaller cap would yield almost no information
_IN_USE: Final = StopReason(StopKind.COST, "the rest of the budget is in use")


class Limits:
    """What may still be spent, and what has gone wrong."""

    def __init__(self, budget: Budget, options: Options) -> None:
        self._budget, self._options = budget, options
        self._may_be_negative = not options.log and options.slack == inf and budget.cost == inf
        self._caps: dict[int, float] = {}  # of trials under way
        self._limited: set[int] = set()  # trials whose cap is what the budget leaves them
        self._stopped_at: dict[Config, float] = {}
        self._n_evaluations = self._n_outcomes = self._n_failures = self._n_in_a_row = 0
        self._spent = 0.0
        self._has_ignored_cap = False

    def start(self, trial: Trial, *, is_retry: bool) -> None:
        """Count a trial; repeating a lost one is no new evaluation."""
        self._n_evaluations += self._is_new(trial) and not is_retry
        self._caps[trial.id] = trial.cap

    def refusal(self, trial: Trial, *, most: float) -> StopReason | None:
        """Return why a trial may not start: no evaluation is left. `most` is what its cap was limited to."""
        if self._is_new(trial) and self._n_evaluations >= self._budget.evaluations:
            return StopReason(StopKind.EVALUATIONS, f"{self._n_evaluations} evaluations are done")
        if trial.cap >= most:
            self._limited.add(trial.id)
        return None

    def _is_new(self, trial: Trial) -> bool:
        """Whether a trial evaluates a new config, and does not continue one under a larger cap."""
        return not trial.cap > self._stopped_at.get(trial.config, inf)

    def finish(self, run: Run) -> list[Noted]:
        """Count an outcome; return findings about it."""
        trial, outcome = run.trial, run.outcome
        if run.done or run.censored:
            self._check_sign(trial, outcome.cost)
        del self._caps[trial.id]
        self._spent += outcome.spent
        if outcome.status is Status.LOST:
            return []
        self._n_outcomes += 1
        if outcome.status is Status.FAILED:
            self._n_failures += 1
            self._n_in_a_row += 1
            return [Noted(_failure(run))] if self._n_failures == 1 else []
        self._n_in_a_row = 0
        if run.censored:
            self._stopped_at[trial.config] = trial.cap
            return []
        self._stopped_at.pop(trial.config, None)
        is_ignored = outcome.cost > trial.cap and trial.id not in self._limited
        if not is_ignored or self._has_ignored_cap:
            return []
        self._has_ignored_cap = True
        return [Noted(_ignored_cap(run))]

    def most(self, free: int, *, best: float) -> float:
        """Return the largest cap of the next trial that keeps all trials under way within the budget.

        A single slot may use all that is left. Of several, each gets its share, or twice the best known cost
        if that is more.
        """
        left = self._budget.cost - self._spent
        if left == inf:
            return inf
        unclaimed = left - sum(self._caps.values())
        share = unclaimed / free
        return share if best == inf else max(share, min(unclaimed, 2 * best))

    def obstacle(self, most: float) -> StopReason | None:
        """Return why nothing can be started while other trials are under way, if there is a reason."""
        if self._caps and most < _LEAST_SHARE * max(self._caps.values()):
            return _IN_USE
        return None

    def reason_to_stop(self, best: float, now_s: float) -> StopReason | None:
        """Return why nothing more is to be started, if there is a reason."""
        if not self._may_be_negative and best == 0.0:
            return StopReason(StopKind.OPTIMAL, "no cost is below 0")
        if self._n_in_a_row >= _MOST_FAILURES_IN_A_ROW:
            return StopReason(StopKind.FAILURES, f"{self._n_in_a_row} evaluations in a row failed")
        if _MOST_FAILURES_AT_FIRST <= self._n_failures == self._n_outcomes:
            return StopReason(StopKind.FAILURES, f"the first {self._n_failures} evaluations failed")
        return self._budget.exhausted(cost=self._spent, wall_s=now_s)

    def _check_sign(self, trial: Trial, cost: float) -> None:
        if self._options.log and cost <= 0:
            raise TargetError(
                f"has a cost of {cost:.6g}, which has no logarithm",
                config=trial.config,
                hint="costs must be positive unless log=False",
            )
        if cost < 0 and not self._may_be_negative:
            raise TargetError(
                f"has a cost of {cost:.6g}, which can neither be capped nor charged",
                config=trial.config,
                hint="for costs below zero use slack=inf and a budget of evaluations or time",
            )


def _failure(run: Run) -> Finding:
    return Finding(
        "F03",
        Severity.WARNING,
        f"trial {run.trial.id}",
        f"config {dict(run.trial.config)} failed; the search goes on\n{run.outcome.note}",
    )


def _ignored_cap(run: Run) -> Finding:
    trial, cost = run.trial, run.outcome.cost
    return Finding(
        "F04",
        Severity.WARNING,
        f"trial {trial.id}",
        f"config {dict(trial.config)} cost {cost:.6g}, although its cap was {trial.cap:.6g}",
        "to spend less, take the cap, f(config, cap), and stop there, or yield the cost so far",
    )
