"""The protocols that executors use: Target, which starts trials, and Process, one running trial."""

import select
import time
from collections.abc import Collection
from math import inf
from typing import Protocol

from tightrope.errors import Finding
from tightrope.records import Outcome, Trial
from tightrope.run.start_error import StartError
from tightrope.run.supervise.pulse import CHECK_S


class Process(Protocol):
    """One running trial. No method blocks, so one loop can serve many.

    Wait until `fileno()` is readable, then call `poll()`; repeat until it returns an outcome. Call `watch()`
    about once a second: a run may stop its supervisor. Every started
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

    def watch(self) -> None:
        """Kill the run if what supervises it no longer responds; call this about once a second."""

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
    deadline_s = inf if timeout_s is None else time.monotonic() + timeout_s
    while (outcome := process.poll()) is None:
        poller = select.poll()  # unlike select(), it accepts descriptors above 1023
        poller.register(process.fileno(), select.POLLIN)
        left_s = deadline_s - time.monotonic()
        if not poller.poll(1000 * max(0.0, min(left_s, CHECK_S))) and left_s <= CHECK_S:
            return None
        process.watch()
    return outcome
