"""minimize(): the black-box door."""

import inspect
import time
import traceback
import warnings
from collections.abc import Callable, Generator
from dataclasses import dataclass
from numbers import Real
from typing import Any

from tightrope.budget import Budget
from tightrope.errors import TargetError
from tightrope.optimizer import Optimizer
from tightrope.records import Trial
from tightrope.result import History, Result

_MOST_FAILURES = 10  # in a row from the start, before it is the function that is to blame


@dataclass(frozen=True)
class Capped:
    """What a function returns that stopped at its cap: its cost is at least `at`."""

    at: float


def minimize(
    f: Callable[..., Any],
    space: Any,
    *,
    budget: float | Budget,
    **settings: Any,
) -> Result:
    """Minimise a function whose evaluation costs what it returns, by stopping evaluations that cost too much.

    Parameters
    ----------
    f : callable
        `f(config, cap)` gets a dict and the cap. It returns the cost, or `Capped(at=...)` when it stopped
        itself; or it yields rising partial costs and is stopped between two of them.
    space : ConfigurationSpace or mapping
        What may be chosen: `{"x": (0.0, 1.0), "n": (1, 64), "kind": ["a", "b"]}` or a ConfigSpace space.
    budget : float or Budget
        Cumulative cost, or `Budget(cost=, evaluations=, wall="10m")`.
    **settings
        See `Optimizer`: slack, ceiling, model, design, n_initial, first_cap, log, noisy, seed.

    Returns
    -------
    Result
        Best config, its cost, what was spent, the history and the reason for stopping.

    Examples
    --------
    >>> def f(config, cap):
    ...     cost = 1 + 100 * (config["x"] - 0.3) ** 2
    ...     return cost if cost < cap else Capped(at=cap)
    >>> result = minimize(f, {"x": (0.0, 1.0)}, budget=60)
    >>> bool(abs(result.best["x"] - 0.3) < 0.05)
    True
    """
    limits = Budget.of(budget)
    optimizer = Optimizer(space, **settings)
    loop = _Loop(f, optimizer, limits)
    reason = loop.run()
    best = optimizer.best
    if best is None:
        raise TargetError(f"no evaluation finished: {reason}", hint=loop.advice())
    return Result(best, optimizer.cost, loop.spent, History(tuple(optimizer.runs)), reason)


class _Loop:
    """Asks, evaluates and tells until the budget is spent."""

    def __init__(self, f: Callable[..., Any], optimizer: Optimizer, budget: Budget) -> None:
        self._f = f
        self._takes_cap = _takes_cap(f)
        self._optimizer = optimizer
        self._budget = budget
        self._start_s = time.monotonic()
        self._configs: set[Any] = set()
        self._warned_of_ignored_cap = False
        self._first_failure = ""
        self._n_failures = 0
        self.spent = 0.0

    def run(self) -> str:
        """Return the reason for stopping."""
        while True:
            wall_s = time.monotonic() - self._start_s
            reason = self._budget.exhausted(cost=self.spent, evaluations=len(self._configs), wall_s=wall_s)
            if reason is not None:
                return reason
            trial = self._optimizer.ask(most=self._budget.cost - self.spent)
            if trial is None:
                return "every config has been tried"
            self._evaluate(trial)
            if self._n_failures >= _MOST_FAILURES and self._n_failures == len(self._optimizer.runs):
                return f"the first {self._n_failures} evaluations failed"

    def advice(self) -> str:
        """Say what to do if nothing finished."""
        if self._first_failure:
            return f"the first failure was:\n{self._first_failure}"
        return "raise the budget or the ceiling, or lower first_cap"

    def _evaluate(self, trial: Trial) -> None:
        self._configs.add(trial.config)
        try:
            answer = (
                self._f(dict(trial.config), trial.cap) if self._takes_cap else self._f(dict(trial.config))
            )
            cost, capped = read_answer(answer, cap=trial.cap)
        except Exception:  # noqa: BLE001 - whatever the user's function raises belongs to the record
            self._fail(trial, traceback.format_exc())
            return
        if not capped and cost is not None and cost > trial.cap:
            self._warn_of_ignored_cap(trial, cost)
        self._optimizer.tell(trial, cost, capped=capped)
        self.spent += float(cost)

    def _fail(self, trial: Trial, failure: str) -> None:
        self._n_failures += 1
        if not self._first_failure:
            self._first_failure = failure
            warnings.warn(f"{dict(trial.config)} failed; the search goes on\n{failure}", stacklevel=2)
        self._optimizer.tell(trial, failed=True, note=failure.strip().splitlines()[-1])

    def _warn_of_ignored_cap(self, trial: Trial, cost: float) -> None:
        if self._warned_of_ignored_cap:
            return
        self._warned_of_ignored_cap = True
        warnings.warn(
            f"{dict(trial.config)} cost {cost:.6g} although its cap was {trial.cap:.6g}: watch the cap, or "
            "yield partial costs, to be charged less",
            stacklevel=2,
        )


def read_answer(answer: Any, *, cap: float) -> tuple[Any, bool]:
    """Turn what a function returned or yields into a cost, and whether that is a lower bound."""
    if isinstance(answer, Capped):
        return float(answer.at), True
    if isinstance(answer, Generator):
        return _follow(answer, cap=cap)
    if isinstance(answer, Real):
        return float(answer), False
    return answer, False


def _follow(partial_costs: Generator[float, None, Any], *, cap: float) -> tuple[float | None, bool]:
    """Draw partial costs until they reach the cap or end; a final value that is returned counts, too."""
    cost: float | None = None
    while True:
        try:
            cost = float(next(partial_costs))
        except StopIteration as end:
            return (cost if end.value is None else float(end.value)), False
        if cost >= cap:
            partial_costs.close()
            return cost, True


def _takes_cap(f: Callable[..., Any]) -> bool:
    try:
        inspect.signature(f).bind({}, 1.0)
    except TypeError:
        return False
    return True
