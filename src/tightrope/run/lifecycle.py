"""What executors share: opening and closing, the real clock, and the errors for misuse."""

import time
from abc import ABC, abstractmethod
from typing import Self

from tightrope.errors import ExecutorError


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

    def _describe_state(self, n_running: int) -> str:
        return "closed" if self._is_closed else f"{n_running} running"


class RealClock:
    """The clock of an executor whose trials really run."""

    def clock(self) -> float:
        """Return seconds since an arbitrary start."""
        return time.monotonic()

    def decided(self, number: int) -> None:
        """Do nothing: real time passes by itself."""


def check_startable(trial_id: int, *, is_running: bool, n_running: int, slots: int) -> None:
    """Raise if a trial with this id is running, or if no slot is free."""
    if is_running:
        raise ExecutorError(f"trial {trial_id} is already running")
    if n_running >= slots:
        raise ExecutorError(
            f"trial {trial_id} cannot start: all {slots} slots are taken", hint="wait for an outcome first"
        )


def not_running(trial_id: int) -> ExecutorError:
    """Return the error for cancelling a trial that is not running."""
    return ExecutorError(f"trial {trial_id} cannot be cancelled: it is not running")
