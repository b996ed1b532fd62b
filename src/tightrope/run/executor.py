"""The Executor protocol, which runs several trials at once, and the two executors for this machine."""

import os
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Protocol, Self

from joblib import cpu_count  # type: ignore[import-untyped]

from tightrope.errors import ExecutorError, Finding
from tightrope.records import Outcome, Trial
from tightrope.run.pool import Pool
from tightrope.run.target import Target


class Executor(Protocol):
    """Runs up to `slots` trials at once. Use it in a `with` statement, which closes it.

    A trial that goes wrong is an outcome, never an exception. Breaking the rules below, or using an executor
    after `close`, raises an `ExecutorError`.
    """

    @property
    def slots(self) -> int:
        """How many trials may run at once."""

    def start(self, trial: Trial) -> None:
        """Start a trial and return at once; a slot must be free, and no running trial may have the same id.

        A trial that cannot be started is FAILED, and its note gives the reason.
        """

    def cancel(self, trial_id: int) -> None:
        """Request that a running trial be stopped.

        `wait` returns its outcome as usual: CAPPED at the cost reached, LOST if nothing was learnt, or its
        own outcome if it ended first.
        """

    def wait(self, timeout_s: float | None = None) -> Sequence[Outcome]:
        """Return the outcomes of finished trials, each once, and free their slots.

        Blocks until there is an outcome, or until `timeout_s` have passed on the executor's clock. Does not
        block if no trial is running, or if the timeout is 0.
        """

    def findings(self) -> Sequence[Finding]:
        """Return findings about finished runs, each once."""

    def clock(self) -> float:
        """Return seconds since an arbitrary start, real or simulated."""

    def decided(self, number: int) -> None:
        """Note that a decision was made; a simulated clock advances by the time it took."""

    def close(self) -> None:
        """Kill every running trial, without an outcome, and close the target; a second call does nothing."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *exception: object) -> None: ...


class ExecutorSpec(Protocol):
    """A frozen description of how to run trials; `open` creates the executor."""

    def open(self, target: Target) -> Executor:
        """Return an executor for the target's trials."""


@dataclass(frozen=True)
class Serial:
    """One trial at a time, on this machine.

    Examples
    --------
    >>> from tightrope.records import Config
    >>> from tightrope.run import CommandTarget
    >>> with Serial().open(CommandTarget("true")) as executor:
    ...     executor.start(Trial(7, Config({}), cap=60.0))
    ...     [(outcome.trial_id, outcome.status.name) for outcome in executor.wait()]
    [(7, 'DONE')]
    """

    def open(self, target: Target) -> Executor:
        """Return an executor with one slot."""
        return Pool(target, [()])


@dataclass(frozen=True)
class LocalPool:
    """Several trials at a time, on this machine.

    Parameters
    ----------
    n : int
        How many. At most the number of usable cores: runs that share a core slow each other down and are
        measured wrongly.
    pin : bool, default=False
        Whether each slot is pinned to its own core.
    oversubscribe : bool, default=False
        Whether there may be more slots than cores, for trials that mostly wait.

    Examples
    --------
    >>> from tightrope.records import Config
    >>> from tightrope.run import CommandTarget
    >>> with LocalPool(2, oversubscribe=True).open(CommandTarget("true")) as executor:
    ...     for number in range(2):
    ...         executor.start(Trial(number, Config({}), cap=60.0))
    ...     finished = []
    ...     while len(finished) < 2:
    ...         finished += executor.wait()
    >>> sorted(outcome.trial_id for outcome in finished)
    [0, 1]
    """

    n: int
    _: KW_ONLY
    pin: bool = False
    oversubscribe: bool = False

    def __post_init__(self) -> None:
        if not self.n >= 1:
            raise ExecutorError(f"a pool needs at least one slot, not {self.n}")
        if self.pin and self.oversubscribe:
            raise ExecutorError("pin=True and oversubscribe=True exclude each other", hint="leave one out")

    def open(self, target: Target) -> Executor:
        """Return an executor with `n` slots; raise if there are fewer cores."""
        n_cores = usable_cores()
        if self.n > n_cores and not self.oversubscribe:
            raise ExecutorError(
                f"{self.n} slots need {self.n} cores, but only {n_cores} are usable here; runs that share a "
                "core are measured wrongly",
                hint=f"use at most {n_cores}, or LocalPool({self.n}, oversubscribe=True) if runs mostly wait",
            )
        return Pool(target, _single_cores(self.n) if self.pin else [()] * self.n)


def usable_cores() -> int:
    """Return how many cores this process may use, given its affinity and its control group's quota."""
    return int(cpu_count())


def _single_cores(n: int) -> list[tuple[int, ...]]:
    if not hasattr(os, "sched_getaffinity"):
        raise ExecutorError("runs can be pinned to cores only on Linux", hint="leave out pin=True")
    return [(core,) for core in sorted(os.sched_getaffinity(0))[:n]]
