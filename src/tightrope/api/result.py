"""Result: what an optimisation found, and how it got there."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tightrope import figures
from tightrope.errors import TargetError
from tightrope.records import Run, Status
from tightrope.search.engine import Plan
from tightrope.search.replay import tally_of
from tightrope.store.history import History

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["History", "Result"]


@dataclass(frozen=True)
class Result:
    """What `minimize` found; printed, it is a summary.

    Attributes
    ----------
    best : dict
        The config with the smallest cost known.
    cost : float
        That cost; if the function is noisy, the mean of the config's runs.
    spent : float
        Cumulative cost of all runs.
    history : History
        Every run.
    reason : str
        Why it stopped.
    plan : Plan
        What the search went by: the space, the model and so on.
    first_traceback : str
        Of the first evaluation that raised; empty if none did.
    """

    best: dict[str, Any]
    cost: float
    spent: float
    history: History
    reason: str
    plan: Plan = field(repr=False)
    first_traceback: str = field(default="", repr=False)

    @classmethod
    def of(cls, runs: Sequence[Run], plan: Plan, *, reason: str, first_traceback: str = "") -> "Result":
        """Sum up runs; if none of them finished there is no result, but a TargetError."""
        history = History(tuple(runs))
        tally = tally_of(runs)
        if tally.best_config is None:
            error = TargetError(f"no evaluation finished: {reason}", hint=_advise(runs, first_traceback))
            error.history = history
            raise error
        spent = sum(run.outcome.spent for run in runs)
        best = dict(tally.best_config)
        return cls(best, tally.best, spent, history, reason, plan, first_traceback)

    def plot(self, *, figure: "Figure | None" = None) -> "Figure":
        """Draw the best cost over what had been spent: see `tightrope.figures.draw_progress`."""
        return figures.draw_progress(self.history.runs, figure=figure)

    def plot_belief(self, *parameters: str, figure: "Figure | None" = None) -> "Figure":
        """Draw what the model believes in the end, over one or two parameters.

        Parameters
        ----------
        *parameters : str
            Names of one or two parameters; the others are as in the best config. They may be left out if the
            space has no more than two.
        """
        return figures.draw_belief(self.plan, self.history.runs, *parameters, figure=figure)

    def __str__(self) -> str:
        counts = Counter(run.outcome.status for run in self.history.runs)
        ends = f"{counts[Status.DONE]} finished, {counts[Status.CAPPED]} stopped at their caps"
        failed = f", {counts[Status.FAILED]} failed" if counts[Status.FAILED] else ""
        n_configs = len({run.trial.config for run in self.history.runs})
        sentences = [
            f"{self.best} costs {self.cost:.6g}.",
            f"{len(self.history)} runs of {n_configs} configs ({ends}{failed}) cost {self.spent:.6g} in all.",
            *self._say_what_is_open(),
            f"Stopped because {self.reason}.",
        ]
        return " ".join(sentences)

    def _say_what_is_open(self) -> list[str]:
        """Say how many configs were stopped before they had cost as much as the best one."""
        known = tally_of(self.history.runs).known()
        n_open = sum(not each.costs and not each.failed and each.bound < self.cost for _, each in known)
        if n_open == 0:
            return []
        subject = "1 config was" if n_open == 1 else f"{n_open} configs were"
        return [f"{subject} stopped before that cost, and might be better."]


def _advise(runs: Sequence[Run], first_traceback: str) -> str:
    if first_traceback:
        return f"the first failure was:\n{first_traceback}"
    bounds = [run.outcome.cost for run in runs if run.censored]
    reached = f"some were stopped at {max(bounds):.6g} only: " if bounds else ""
    return f"{reached}raise the budget or the ceiling"
