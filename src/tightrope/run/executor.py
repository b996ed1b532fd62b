"""What runs several trials at once: one protocol, and the two executors for this machine."""

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
    """Trials under way, `slots` at most. It is used in a `with` statement, at the end of which it is closed.

    A trial that goes wrong is an outcome, never an exception. Whoever breaks the rules below, or uses an
    executor after `close`, gets an `ExecutorError`.
    """

    @property
    def slots(self) -> int:
        """How many trials may be under way at once."""

    def start(self, trial: Trial) -> None:
        """Start a trial and return at once; a slot must be free, and no trial of its id be under way.

        A trial that cannot be started is FAILED, and its note says why.
        """

    def cancel(self, trial_id: int) -> None:
        """Ask for a trial under way to be stopped.

        Its outcome comes as always: CAPPED at what it reached, LOST if nothing was learnt, or whatever it had
        come to before.
        """

    def wait(self, timeout_s: float | None = None) -> Sequence[Outcome]:
        """Return the outcomes of trials that are over, each once; their slots are free then.

        Blocks until there is one, until `timeout_s` have passed on the executor's clock, or not at all if no
        trial is under way; a timeout of 0 just looks.
        """

    def findings(self) -> Sequence[Finding]:
        """Return what the user might want to know about runs that are over, each finding once."""

    def clock(self) -> float:
        """Return seconds since some moment: real ones, or simulated ones."""

    def decided(self, number: int) -> None:
        """Take note that a decision has been made; where time is simulated, it passes now."""

    def close(self) -> None:
        """Kill what is under way, whose outcomes never come, and close the target; twice is harmless."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *exception: object) -> None: ...


class ExecutorSpec(Protocol):
    """How trials are to be run: a frozen value, from which `open` makes the live executor."""

    def open(self, target: Target) -> Executor:
        """Return an executor of the target's trials."""


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
        How many: no more than there are cores that we may use, since otherwise they would slow each other
        down and be measured wrongly.
    pin : bool, default=False
        Whether each slot keeps to a core of its own.
    oversubscribe : bool, default=False
        Whether there may be more slots than cores, for trials that wait most of the time.

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
            raise ExecutorError("slots cannot be pinned to cores of their own and oversubscribe them as well")

    def open(self, target: Target) -> Executor:
        """Return an executor with `n` slots; refuse if there are fewer cores."""
        n_cores = usable_cores()
        if self.n > n_cores and not self.oversubscribe:
            raise ExecutorError(
                f"{self.n} slots are more than the {n_cores} cores that may be used here, and runs that "
                "share a core are measured wrongly",
                hint=f"take at most {n_cores}, or LocalPool({self.n}, oversubscribe=True) if runs just wait",
            )
        return Pool(target, _places(self.n) if self.pin else [()] * self.n)


def usable_cores() -> int:
    """Return how many cores this process may keep busy, by its affinity and its control group's quota."""
    return int(cpu_count())


def _places(n: int) -> list[tuple[int, ...]]:
    if not hasattr(os, "sched_getaffinity"):
        raise ExecutorError("runs can be pinned to cores on Linux only", hint="leave out pin=True")
    return [(core,) for core in sorted(os.sched_getaffinity(0))[:n]]
