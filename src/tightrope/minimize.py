"""minimize(): the black-box door."""

import time
import warnings
from collections.abc import Callable
from math import inf
from typing import Any

from tightrope.answer import Answer, fault
from tightrope.budget import Budget
from tightrope.errors import TargetError
from tightrope.function import Failure, Function
from tightrope.optimizer import Optimizer
from tightrope.records import Config, Run, Trial
from tightrope.result import History, Result
from tightrope.search.cap import CapRule
from tightrope.search.choose import default_size
from tightrope.search.model import Model
from tightrope.space import Space

Watch = Callable[[Run], object]

_MOST_FAILURES_AT_FIRST = 20  # nothing else came of it: the function is to blame
_MOST_FAILURES_IN_A_ROW = 100  # failures may be free, so that a budget of costs would never end


def minimize(
    f: Callable[..., Any],
    space: Any,
    *,
    budget: float | Budget,
    slack: float = 1.3,
    ceiling: float | None = None,
    model: str | Model = "auto",
    design: str = "doubling",
    n_initial: int | None = None,
    first_cap: float | None = None,
    caps: str | CapRule = "slack",
    random_share: float = 0.1,
    log: bool = True,
    noisy: bool = False,
    seed: int = 0,
    watch: Watch | None = None,
) -> Result:
    """Minimise a function whose evaluation costs what it returns, by stopping evaluations that cost too much.

    Parameters
    ----------
    f : callable
        `f(config, cap)` is given a dict and the cap. It returns the cost, or `Capped(at=cap)` if it stopped
        itself there; or it yields the cost so far, again and again, and is stopped between two yields. A cost
        above the cap is taken as it is, and a warning tells so once. If it raises, the config has failed.
    space : ConfigurationSpace or mapping
        What may be chosen: `{"x": (0.0, 1.0), "n": (1, 64), "kind": ["a", "b"]}` or a ConfigSpace space. A
        tuple is a range, of integers if both bounds are integers; a list holds choices.
    budget : float or Budget
        Cumulative cost of all evaluations, or `Budget(cost=, evaluations=, wall="10m")`.
    slack : float, default=1.3
        A cap is this multiple of the best cost known; inf for no caps.
    ceiling : float, optional
        Largest cap.
    model : {"auto", "forest", "process"} or Model, default="auto"
        The censored forest takes every space; the Gaussian process is for smooth functions of a few numbers.
        "auto" picks by the space.
    design : {"doubling", "rising", "lhd", "sobol"}, default="doubling"
        The first configs: all of a Latin hypercube under a small cap that is doubled until one finishes;
        "rising" takes new ones whenever the cap doubles; "lhd" and "sobol" take one after the other under the
        usual cap, from a Latin hypercube or a Sobol sequence.
    n_initial : int, optional
        How many there are: by default twice the number of parameters, at least 5; never more than the budget
        has evaluations.
    first_cap : float, optional
        The doubling design's first cap: by default ceiling/1024 or, without a ceiling, 1.
    caps : {"slack", "information"} or CapRule, default="slack"
        How caps are decided after the design: by the slack, or such that a run is expected to yield the most
        information for its cost.
    random_share : float, default=0.1
        Share of the proposals that are drawn at random, whatever the model believes.
    log : bool, default=True
        Model the logarithm of costs, which must then be positive.
    noisy : bool, default=False
        Whether evaluating a config again may give another cost.
    seed : int, default=0
        Everything random follows from it.
    watch : callable, optional
        Called with each `Run` as soon as it is over, for progress. To stop, let it raise KeyboardInterrupt.

    Returns
    -------
    Result
        Best config, its cost, what was spent, the history and the reason for stopping.

    Raises
    ------
    TargetError
        If `f` answers what cannot be a cost, if its first 20 evaluations all fail, or if none has
        finished when the budget is spent. Its `history` has the runs so far.
    KeyboardInterrupt
        If it is interrupted before any evaluation has finished; afterwards an interrupt ends the search and
        the result is returned.

    Notes
    -----
    An evaluation that fails is charged the last partial cost that it yielded, otherwise nothing. As failing
    may be free, 100 failures in a row end the search. The limit of time is looked at between evaluations.

    Examples
    --------
    >>> from tightrope import Budget, Capped, minimize
    >>> def f(config, cap):
    ...     cost = 1 + 100 * (config["x"] - 0.3) ** 2
    ...     return cost if cost < cap else Capped(at=cap)
    >>> result = minimize(f, {"x": (0.0, 1.0)}, budget=60)
    >>> bool(abs(result.best["x"] - 0.3) < 0.05)
    True

    >>> def g(config, cap):
    ...     for step in range(1, 11 + 20 * abs(config["n"] - 40)):
    ...         yield step  # what it has cost so far
    >>> minimize(g, {"n": (1, 64)}, budget=Budget(evaluations=30), seed=1).cost
    10.0
    """
    limits = Budget.of(budget)
    compiled = Space.of(space)
    optimizer = Optimizer(
        compiled,
        slack=slack,
        ceiling=ceiling,
        model=model,
        design=design,
        n_initial=_fit_in(n_initial, compiled, limits),
        first_cap=first_cap,
        caps=caps,
        random_share=random_share,
        log=log,
        noisy=noisy,
        seed=seed,
    )
    loop = _Loop(Function(f), optimizer, limits, watch=watch or _look_away, slack=slack, log=log)
    return loop.run()


class _Loop:
    """Asks, evaluates and tells until the budget is spent."""

    def __init__(
        self,
        function: Function,
        optimizer: Optimizer,
        budget: Budget,
        *,
        watch: Watch,
        slack: float,
        log: bool,
    ) -> None:
        self._function = function
        self._optimizer = optimizer
        self._budget = budget
        self._watch = watch
        self._log = log
        self._may_be_negative = not log and slack == inf and budget.cost == inf
        self._start_s = time.monotonic()
        self._evaluations = 0
        self._stopped_at: dict[Config, float] = {}
        self._spent = 0.0
        self._n_failures = 0
        self._n_in_a_row = 0
        self._first_traceback = ""
        self._told_of_ignored_cap = False

    def run(self) -> Result:
        """Go on until there is a reason to stop."""
        try:
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
        """Evaluate one config, unless there is a reason to stop."""
        reason = self._reason_to_stop()
        if reason is not None:
            return reason
        trial = self._optimizer.ask(most=self._budget.cost - self._spent)
        if trial is None:
            return "every config has been tried"
        is_restart = trial.cap > self._stopped_at.get(trial.config, inf)
        if not is_restart and self._evaluations >= self._budget.evaluations:
            return f"{self._evaluations} evaluations are done"
        self._evaluations += not is_restart
        self._evaluate(trial)
        return None

    def _reason_to_stop(self) -> str | None:
        if not self._may_be_negative and self._optimizer.cost == 0.0:
            return "no cost is below 0"
        if self._n_in_a_row >= _MOST_FAILURES_IN_A_ROW:
            return f"{self._n_in_a_row} evaluations in a row failed"
        if _MOST_FAILURES_AT_FIRST <= self._n_failures == len(self._optimizer.runs):
            return f"the first {self._n_failures} evaluations failed"
        return self._budget.exhausted(cost=self._spent, wall_s=time.monotonic() - self._start_s)

    def _evaluate(self, trial: Trial) -> None:
        answer = self._function.evaluate(trial)
        if isinstance(answer, Failure):
            self._fail(trial, answer)
        else:
            self._succeed(trial, answer)
        self._watch(self._optimizer.runs[-1])

    def _succeed(self, trial: Trial, answer: Answer) -> None:
        self._check_sign(trial, answer.cost)
        if answer.capped:
            self._stopped_at[trial.config] = trial.cap
        else:
            self._stopped_at.pop(trial.config, None)
        is_last = trial.cap >= self._budget.cost - self._spent  # there is nothing more to be saved
        self._n_in_a_row = 0
        self._spent += answer.cost
        self._optimizer.tell(trial, answer.cost, capped=answer.capped)
        ignored = not answer.capped and answer.cost > trial.cap and not is_last
        if ignored and not self._told_of_ignored_cap:
            self._told_of_ignored_cap = True
            _warn(self._describe_ignored_cap(trial, answer.cost))

    def _fail(self, trial: Trial, failure: Failure) -> None:
        self._n_failures += 1
        self._n_in_a_row += 1
        self._spent += failure.spent
        self._optimizer.tell(trial, failure.spent, failed=True, spent=failure.spent, note=failure.error)
        if not self._first_traceback:
            self._first_traceback = failure.traceback
            _warn(f"config {dict(trial.config)} failed; the search goes on\n{failure.traceback}")

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
        takes_cap = self._function.takes_cap
        remedy = "stop at the cap" if takes_cap else "take the cap, f(config, cap), and stop there"
        return (
            f"config {dict(trial.config)} cost {cost:.6g}, although its cap was {trial.cap:.6g}: to spend "
            f"less, {remedy}, or yield what has been spent so far"
        )


def _fit_in(n_initial: int | None, space: Space, budget: Budget) -> int | None:
    """Return a size of the design that the budget's evaluations suffice for."""
    if budget.evaluations == inf:
        return n_initial
    return min(n_initial or default_size(space), int(budget.evaluations))


def _look_away(run: Run) -> None:
    """Watch nothing."""


def _warn(message: str) -> None:
    warnings.warn(message, stacklevel=7)  # up _fail, _evaluate, _step, run and minimize to its caller
