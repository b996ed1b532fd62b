"""minimize(): the black-box door."""

from collections.abc import Callable
from math import inf
from typing import Any, Final, Literal

from tightrope.api.loop import Loop, Watch
from tightrope.api.optimizer import Optimizer
from tightrope.api.result import Result
from tightrope.budget import Budget
from tightrope.records import Run
from tightrope.run import Executor, ExecutorSpec, FunctionTarget, LocalPool
from tightrope.run.function.call import Function
from tightrope.run.function.in_process import InProcess
from tightrope.run.function.load import refuse_while_loading, resolve
from tightrope.search.cap import CapRule
from tightrope.search.model import Model
from tightrope.search.options import default_size
from tightrope.space import Space

_CLOCKS: Final[dict[str, Literal["cost", "wall", "cpu"]]] = {"returned": "cost", "wall": "wall", "cpu": "cpu"}


def minimize(
    f: Callable[..., Any] | str,
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
    workers: int | ExecutorSpec | None = None,
    cost: Literal["returned", "wall", "cpu"] = "returned",
) -> Result:
    """Minimise a function whose evaluation costs what it returns, by stopping evaluations that cost too much.

    Parameters
    ----------
    f : callable or str
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
    workers : int or executor, optional
        How many evaluations run at once, each in a worker process; by default `f` is called in this process.
        Workers import `f`: it must be defined at the top level of a module or script, or be named as
        "module:function". `LocalPool(n, oversubscribe=True)` allows for more workers than cores.
    cost : {"returned", "wall", "cpu"}, default="returned"
        What is minimised: what `f` returns, or the time that it takes, in seconds: time that passes, or CPU
        time. If it is a time, `f` runs in a worker process, is killed at its cap with all that it has
        started, and need not return anything.

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
    may be free, 100 failures in a row end the search. The limit of time is looked at between evaluations;
    those that workers are still busy with are then given up.

    With several workers the caps of all evaluations under way are kept within the budget of costs. Which
    evaluation ends first is a matter of chance, so that equal seeds need not give equal runs.

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
    loop = Loop(
        _open(f, workers=workers, cost=cost),
        optimizer,
        limits,
        watch=watch or _look_away,
        may_be_negative=not log and slack == inf and limits.cost == inf,
        takes_cap=Function(resolve(f)).takes_cap,
        log=log,
    )
    return loop.run()


def _open(f: Callable[..., Any] | str, *, workers: int | ExecutorSpec | None, cost: str) -> Executor:
    """Return what evaluates the function: this process, or workers."""
    if cost not in _CLOCKS:
        raise ValueError(f"cost must be 'returned', 'wall' or 'cpu', not {cost!r}")
    if workers is None and cost == "returned":
        return InProcess(Function(resolve(f)))
    refuse_while_loading()
    if workers is None:
        workers = 1
    spec = LocalPool(workers) if isinstance(workers, int) else workers
    return spec.open(FunctionTarget(f, clock=_CLOCKS[cost]))


def _fit_in(n_initial: int | None, space: Space, budget: Budget) -> int | None:
    """Return a size of the design that the budget's evaluations suffice for."""
    if budget.evaluations == inf:
        return n_initial
    return min(n_initial or default_size(space), int(budget.evaluations))


def _look_away(run: Run) -> None:
    """Watch nothing."""
