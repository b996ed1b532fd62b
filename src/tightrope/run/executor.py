"""The Executor protocol, which runs several trials at once, and what executors share."""

import time
from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from typing import Protocol, Self

from joblib import cpu_count  # type: ignore[import-untyped]

from tightrope.errors import ExecutorError, Finding
from tightrope.records import Outcome, Trial
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


class Lifecycle(ABC):
    """An executor that is open until `close`, or until the end of its `with` statement."""

    _is_closed = False

    def close(self) -> None:
        """Kill every running trial and close the target; a second call does nothing."""
        if not self._is_closed:
            self._is_closed = True
            self._shut_down()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @abstractmethod
    def _shut_down(self) -> None:
        """Release everything; called once."""

    def _check_open(self) -> None:
        if self._is_closed:
            raise ExecutorError("this executor is closed", hint="open another one")

    def _check_startable(self, trial_id: int, running: Collection[int], slots: int) -> None:
        """Raise if the executor is closed, a trial with this id is running, or no slot is free."""
        self._check_open()
        if trial_id in running:
            raise ExecutorError(f"trial {trial_id} is already running")
        if len(running) >= slots:
            raise ExecutorError(
                f"trial {trial_id} cannot start: all {slots} slots are taken",
                hint="wait for an outcome first",
            )

    def _check_running(self, trial_id: int, running: Collection[int]) -> None:
        """Raise if the executor is closed, or no trial with this id is running."""
        self._check_open()
        if trial_id not in running:
            raise ExecutorError(f"trial {trial_id} cannot be cancelled: it is not running")

    def _describe_state(self, n_running: int) -> str:
        return "closed" if self._is_closed else f"{n_running} running"


class RealClock:
    """The clock of an executor whose trials really run."""

    def clock(self) -> float:
        """Return seconds since an arbitrary start."""
        return time.monotonic()

    def decided(self, number: int) -> None:
        """Do nothing: real time passes by itself."""


def usable_cores() -> int:
    """Return how many cores this process may use, given its affinity and its control group's quota."""
    return int(cpu_count())
