"""FunctionTarget: a Python function, run in worker processes."""

from collections.abc import Callable, Collection
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from math import inf
from typing import Any, Literal

from tightrope.errors import TargetError
from tightrope.records import Trial
from tightrope.run.function.call import Function
from tightrope.run.function.driver import WorkerPool
from tightrope.run.function.load import pack, pickle_function, refuse_while_loading, resolve
from tightrope.run.function.process import FunctionProcess
from tightrope.run.function.worker import Request
from tightrope.run.start_error import read_start_error
from tightrope.run.supervise.supervisor import Limits, guard_for


@dataclass(frozen=True)
class FunctionTarget:
    """A Python function to call in worker processes; the cost is its return value, or time.

    The function is loaded once, and workers are forked from that process. A worker is reused until one of its
    runs has to be killed. With `clock="wall"` or "cpu" a run is killed at its cap, with all processes that it
    started. With `clock="cost"` only the function knows its cost: it stops by itself, or yields partial costs
    and is stopped between two of them.

    Parameters
    ----------
    f : callable or str
        `f(config, cap)` or `f(config)`; it is also passed `instance` and `seed` if it has parameters of these
        names. Define it at the top level of a module or script, or name it as "module:function".
    clock : {"cost", "wall", "cpu"}, default="cost"
        The cost: the return value, as for `tightrope.minimize`; elapsed time; or user and system time of its
        process and of the children it has waited for. If time is the cost, the return value is ignored unless
        it is `Capped`.
    limit_s : float, default=inf
        Time limit of a run whose cost is returned. Where time is the cost, the cap is the limit.
    memory_mb : float, default=inf
        Memory limit of a worker and its children, in units of 10**6 bytes.

    Examples
    --------
    >>> from tightrope.records import Config
    >>> from tightrope.run import wait
    >>> target = FunctionTarget("builtins:len")
    >>> outcome = wait(target.start(Trial(0, Config({"x": 0.5}), cap=3.0)))
    >>> target.close()
    >>> outcome.status.name, outcome.cost
    ('DONE', 1.0)
    """

    f: Callable[..., Any] | str
    _: KW_ONLY
    clock: Literal["cost", "wall", "cpu"] = "cost"
    limit_s: float = inf
    memory_mb: float = inf
    workers: WorkerPool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.clock not in ("cost", "wall", "cpu"):
            raise TargetError(f"the clock must be 'cost', 'wall' or 'cpu', not {self.clock!r}")
        for key in ("limit_s", "memory_mb"):
            if not getattr(self, key) > 0:
                raise TargetError(f"{key} must be positive, not {getattr(self, key)}")
        if self.limit_s < inf and self.clock != "cost":
            raise TargetError(
                f"limit_s={self.limit_s} has no effect where time is the cost",
                hint="set the ceiling instead",
            )
        Function(resolve(self.f))
        pickled = pickle_function(self.f)
        limits = Limits("cpu" if self.clock == "cpu" else "wall", memory_mb=self.memory_mb)
        object.__setattr__(self, "workers", WorkerPool(partial(pack, pickled), limits))

    def __reduce__(self) -> tuple[Any, ...]:
        # Worker processes stay in this process.
        make = partial(FunctionTarget, clock=self.clock, limit_s=self.limit_s, memory_mb=self.memory_mb)
        return make, (self.f,)

    def start(self, trial: Trial, *, cores: Collection[int] = ()) -> FunctionProcess:
        """Start a trial and return at once."""
        if not (trial.cap > 0 or self.clock == "cost"):
            raise TargetError(f"trial {trial.id} has a cap of {trial.cap}, which is not positive")
        refuse_while_loading()
        limit_s = self.limit_s if self.clock == "cost" else trial.cap
        guard_s = guard_for(limit_s) if self.clock == "cpu" else inf
        request = Request(trial, self.clock, limit_s, guard_s, tuple(sorted(cores)))
        try:
            return FunctionProcess(request, self.workers)
        except OSError as error:
            raise read_start_error(error) from error

    def close(self) -> None:
        """End all idle workers; `start` creates new ones."""
        self.workers.close()
