"""minimize(): minimise a Python function."""

import sys
import warnings
from collections.abc import Callable
from contextlib import ExitStack
from math import inf
from pathlib import Path
from typing import Any, Final, Literal

from tightrope.api.conduct import conduct, open_journal
from tightrope.api.optimizer import identity_of
from tightrope.api.result import MinimizeResult
from tightrope.budget import Budget
from tightrope.drive import Watch, ignore
from tightrope.records import Event, Noted, StopKind
from tightrope.run import Executor, ExecutorSpec, FunctionTarget, LocalPool
from tightrope.run.function.call import Function
from tightrope.run.function.in_process import InProcess
from tightrope.run.function.load import refuse_while_loading, resolve
from tightrope.search.cap import CapRule
from tightrope.search.engine import Engine
from tightrope.search.model import Model
from tightrope.search.options import Options, default_size
from tightrope.space import Space

_CLOCKS: Final[dict[str, Literal["cost", "wall", "cpu"]]] = {"returned": "cost", "wall": "wall", "cpu": "cpu"}
_PACKAGE = __name__.partition(".")[0]


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
    journal: str | Path | None = None,
    watch: Watch | None = None,
    workers: int | ExecutorSpec | None = None,
    cost: Literal["returned", "wall", "cpu"] = "returned",
) -> MinimizeResult:
    """Minimise a function whose evaluation costs what it returns, by stopping expensive evaluations early.

    Parameters
    ----------
    f : callable or str
        `f(config, cap)` takes a dict and the cap. It returns the cost, or `Capped(at=cap)` if it stopped
        there; or it yields the cost so far, repeatedly, and is stopped between two yields. A cost above the
        cap counts as it is, with one warning. If the function raises, the config has failed.
    space : ConfigurationSpace or mapping
        The parameters: `{"x": (0.0, 1.0), "n": (1, 64), "kind": ["a", "b"]}` or a ConfigSpace space. A
        tuple is a range, of integers if both bounds are integers; a list holds choices.
    budget : float or Budget
        Cumulative cost of all evaluations, or `Budget(cost=, evaluations=, wall="10m")`.
    slack : float, default=1.3
        A cap is this multiple of the best known cost; inf for no caps.
    ceiling : float, optional
        Largest cap.
    model : {"auto", "forest", "process"} or Model, default="auto"
        The censored forest handles every space; the Gaussian process suits smooth functions of a few numbers.
        "auto" chooses by the space.
    design : {"doubling", "rising", "lhd", "sobol"}, default="doubling"
        The first configs: all of a Latin hypercube under a small cap that is doubled until one finishes;
        "rising" takes new ones whenever the cap doubles; "lhd" and "sobol" take one after the other under the
        usual cap, from a Latin hypercube or a Sobol sequence.
    n_initial : int, optional
        Number of first configs: by default twice the number of parameters, at least 5; at most the budget's
        number of evaluations.
    first_cap : float, optional
        The doubling design's first cap: by default ceiling/1024 or, without a ceiling, 1.
    caps : {"slack", "information"} or CapRule, default="slack"
        How caps are chosen after the design: by the slack, or to maximise the expected information of a run
        per cost.
    random_share : float, default=0.1
        Share of configs that are drawn at random after the design.
    log : bool, default=True
        Model the logarithm of costs, which must then be positive.
    noisy : bool, default=False
        Whether evaluating a config again may give another cost.
    seed : int, default=0
        Seed of all random choices.
    journal : path, optional
        A file that records every decision and run before it takes effect. If it exists, the search resumes
        where it ended; evaluations that were under way are run again. The function, the budget and the
        workers may differ from before; all other settings must be the same.
    watch : callable, optional
        Called with each event: `Resumed(...)` first if the journal has runs, then `Started(trial, slots)`,
        `Finished(run)`, `Improved(incumbent)`, `Noted(finding)`. To stop, raise KeyboardInterrupt.
    workers : int or executor, optional
        Number of parallel evaluations, each in a worker process; by default `f` is called in this process.
        Workers import `f`: it must be defined at the top level of a module or script, or be named as
        "module:function". `LocalPool(n, oversubscribe=True)` allows for more workers than cores.
    cost : {"returned", "wall", "cpu"}, default="returned"
        What is minimised: the return value of `f`, or its elapsed or CPU time in seconds. If it is a time,
        `f` runs in a worker process, is killed at its cap with all processes that it started, and need not
        return anything.

    Returns
    -------
    MinimizeResult
        Best config, its cost, what was spent, the history and the reason for stopping.

    Raises
    ------
    TargetError
        If `f` returns what cannot be a cost, if its first 20 evaluations all fail, or if none has
        finished when the budget is spent. Its `history` has the runs so far.
    KeyboardInterrupt
        If interrupted before any evaluation has finished; later an interrupt ends the search and returns the
        result.

    Notes
    -----
    A failed evaluation is charged the last partial cost that it yielded, otherwise nothing. Since failures
    may be free, 100 failures in a row end the search. The time limit is checked between evaluations; those
    that workers are still busy with are then abandoned. An evaluation whose worker dies is lost, and run
    again; ten losses in a row end the search.

    With several workers the caps of all evaluations under way stay within the cost budget. The order in which
    they end is random, so equal seeds need not give equal runs.

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
    options = Options.of(
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
    engine = Engine(options, limits)
    open_executor = _opener(f, workers=workers, cost=cost)
    with ExitStack() as stack:
        identity = identity_of(options, cost=cost)
        written, past = open_journal(stack, journal, engine, identity=identity, seed=seed)
        if watch is not None and (past.runs or past.pending):
            watch(past.resumed(engine.trajectory))
        reason = conduct(
            engine,
            open_executor,
            past,
            written,
            wall_s=limits.wall_s,
            watch=_warning(watch or ignore),
        )
    if reason.kind is StopKind.INTERRUPTED and engine.best[0] is None:
        raise KeyboardInterrupt
    return MinimizeResult.of(engine, reason, wall_s=past.used_s, findings=past.findings)


def _opener(
    f: Callable[..., Any] | str, *, workers: int | ExecutorSpec | None, cost: str
) -> Callable[[], Executor]:
    """Check how the function is to be evaluated; return what opens this process, or workers, for it."""
    if cost not in _CLOCKS:
        raise ValueError(f"cost must be 'returned', 'wall' or 'cpu', not {cost!r}")
    function = Function(resolve(f))
    if workers is None and cost == "returned":
        return lambda: InProcess(function)
    refuse_while_loading()
    if workers is None:
        workers = 1
    spec = LocalPool(workers) if isinstance(workers, int) else workers
    return lambda: spec.open(FunctionTarget(f, clock=_CLOCKS[cost]))


def _fit_in(n_initial: int | None, space: Space, budget: Budget) -> int | None:
    """Return the size of the design, at most the budget's evaluations."""
    if budget.evaluations == inf:
        return n_initial
    return min(n_initial or default_size(space), int(budget.evaluations))


def _warning(watch: Watch) -> Watch:
    """Return a watch that also shows findings as Python warnings."""

    def warn(event: Event) -> None:
        watch(event)
        if isinstance(event, Noted):
            finding = event.finding
            remedy = f": {finding.hint}" if finding.hint else ""
            warnings.warn(f"{finding.message}{remedy}", stacklevel=_depth_of_caller())

    return warn


def _depth_of_caller() -> int:
    """Return the `stacklevel` at which a warning points to the first frame outside this package."""
    depth, frame = 1, sys._getframe(1)  # noqa: SLF001 - the documented way to walk the stack
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).startswith(_PACKAGE):
        depth, frame = depth + 1, frame.f_back
    return depth
