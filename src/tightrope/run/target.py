"""The protocols that executors use: Target, which starts trials, and Process, one running trial."""

import select
from collections.abc import Collection
from typing import Protocol

from tightrope.errors import Finding
from tightrope.records import Outcome, Trial
from tightrope.run.start_error import StartError


class Process(Protocol):
    """One running trial. No method blocks, so one loop can serve many.

    Wait until `fileno()` is readable, then call `poll()`; repeat until it returns an outcome. Every started
    trial gets an outcome, also after `cancel`, and also if its supervisor dies (LOST).
    """

    @property
    def trial(self) -> Trial:
        """The trial that was started."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Findings about this run; complete once there is an outcome."""

    @property
    def start_error(self) -> StartError | None:
        """Why this machine could not start it, if that is why it is LOST; it may be started again."""

    def fileno(self) -> int:
        """Return a descriptor that becomes readable when there is something to `poll`."""

    def poll(self) -> Outcome | None:
        """Return the outcome, or None while the trial runs; later calls return the same outcome."""

    def cancel(self) -> None:
        """Request that the run be stopped; `poll` returns its outcome, CAPPED at the cost reached."""

    def close(self) -> None:
        """Release everything; a run that has not ended is killed and gets no outcome."""


class Target(Protocol):
    """Something that can be evaluated under a cap. Targets can be pickled and used in another process."""

    def start(self, trial: Trial, *, cores: Collection[int] = ()) -> Process:
        """Start a trial and return at once.

        Raises a `TargetError` if it cannot be started, and a `StartError` if this machine is to blame.

        Parameters
        ----------
        trial : Trial
            Config, task and cap.
        cores : collection of int, default=()
            The processor cores to pin it to; empty: not pinned.
        """

    def close(self) -> None:
        """Release what is kept between runs, such as warm workers."""


def wait(process: Process, *, timeout_s: float | None = None) -> Outcome | None:
    """Block until a process has an outcome; return None after `timeout_s` with nothing to read."""
    while (outcome := process.poll()) is None:
        poller = select.poll()  # unlike select(), it accepts descriptors above 1023
        poller.register(process.fileno(), select.POLLIN)
        if not poller.poll(None if timeout_s is None else timeout_s * 1000):
            return None
    return outcome
