"""What can be evaluated, and an evaluation under way: two small protocols that executors rely on."""

import select
from collections.abc import Collection
from typing import Protocol

from tightrope.errors import Finding
from tightrope.records import Outcome, Trial


class Process(Protocol):
    """One trial under way. Nothing here blocks, so that one loop can look after many.

    Whoever holds it waits until `fileno()` can be read, then calls `poll()`; that may take several rounds.
    Every started trial comes to an outcome: also after `cancel`, and also if its supervisor dies (LOST).
    """

    @property
    def trial(self) -> Trial:
        """What was started."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the user might want to know about this run; complete once there is an outcome."""

    def fileno(self) -> int:
        """Return a descriptor that becomes readable when there is something to `poll`."""

    def poll(self) -> Outcome | None:
        """Return how the trial ended, or None if it has not; the same outcome if asked again."""

    def cancel(self) -> None:
        """Ask for the run to be stopped; its outcome, CAPPED at what it reached, comes as always."""

    def close(self) -> None:
        """Release everything; a run that is still going on is killed, and its outcome never comes."""


class Target(Protocol):
    """Something that can be evaluated under a cap. Targets can be pickled and used in another process."""

    def start(self, trial: Trial, *, cores: Collection[int] = ()) -> Process:
        """Start a trial and return at once.

        Parameters
        ----------
        trial : Trial
            Config, task and cap.
        cores : collection of int, default=()
            The processor cores it is pinned to; none given: wherever the system likes.
        """

    def close(self) -> None:
        """Release what is kept between runs, such as warm workers."""


def wait(process: Process, *, timeout_s: float | None = None) -> Outcome | None:
    """Block until a process has an outcome; None if `timeout_s` passes without anything to read before."""
    while (outcome := process.poll()) is None:
        poller = select.poll()  # unlike select() it takes descriptors beyond 1023
        poller.register(process.fileno(), select.POLLIN)
        if not poller.poll(None if timeout_s is None else timeout_s * 1000):
            return None
    return outcome
