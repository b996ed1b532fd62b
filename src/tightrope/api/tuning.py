"""TuningResult: what a tuning found, and how it got there."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tightrope.errors import Finding
from tightrope.race.comparison import Comparison
from tightrope.records import Incumbent, Status
from tightrope.store.history import History


@dataclass(frozen=True)
class TuningResult:
    """What `tune` found; printed, it is a summary.

    Attributes
    ----------
    best : dict
        The incumbent: the best config.
    cost : float
        Its mean cost on the tasks that it was run on; timeouts and failures count as ceiling x par.
    is_bound : bool
        Whether that is only a lower bound, because some of its runs were stopped below the ceiling.
    n_tasks : int
        How many tasks that were.
    against_default : Comparison
        The best config and the default on the tasks that both were run on.
    spent : float
        Cumulative cost of all runs.
    wall_s : float
        Time that passed, on the executor's clock.
    history : History
        Every run.
    trajectory : sequence of Incumbent
        The incumbents, one after the other, each as it was when it became one.
    findings : sequence of Finding
        What turned up about runs of this sitting that you might want to know.
    reason : str
        Why it stopped.
    """

    best: dict[str, Any]
    cost: float
    is_bound: bool
    n_tasks: int
    against_default: Comparison
    spent: float
    wall_s: float
    history: History = field(repr=False)
    trajectory: Sequence[Incumbent] = field(repr=False)
    findings: Sequence[Finding]
    reason: str

    def __str__(self) -> str:
        counts = Counter(self.history.columns.status.tolist())
        by_status = {status: counts.get(code, 0) for code, status in enumerate(Status)}
        ends = f"{by_status[Status.DONE]} finished, {by_status[Status.CAPPED]} cut short"
        failed = f", {by_status[Status.FAILED]} failed" if by_status[Status.FAILED] else ""
        at_least = "at least " if self.is_bound else ""
        tasks = "1 task" if self.n_tasks == 1 else f"{self.n_tasks} tasks"
        sentences = " ".join(
            [
                f"The best config costs {at_least}{self.cost:.3g} on {tasks}: {self.against_default}.",
                f"{len(self.history)} runs ({ends}{failed}) cost {self.spent:.4g} in all.",
                f"Stopped because {self.reason}.",
            ]
        )
        return "\n".join([sentences, *self._warnings()])

    def _warnings(self) -> list[str]:
        """Return each kind of finding once, with how often it came."""
        first = {finding.code: finding for finding in reversed(self.findings)}
        counts = Counter(finding.code for finding in self.findings)
        return [f"{first[code]} ({counts[code]} in all)" for code in sorted(first)]
