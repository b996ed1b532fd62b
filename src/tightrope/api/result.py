"""Results: what an optimisation found, and how it got there."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from math import inf
from typing import TYPE_CHECKING, Any

from tightrope import figures
from tightrope.compare.contrast import Contrast
from tightrope.errors import Finding, TargetError
from tightrope.records import Config, Incumbent, Run, Status, StopReason
from tightrope.scenario.scenario import Scenario
from tightrope.search.engine import Engine
from tightrope.search.options import Options
from tightrope.search.replay import tally_of
from tightrope.store.history import History

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, kw_only=True)
class Result:
    """What `tune`, `minimize`, `validate` and `Optimizer.result` return; printed, it is a summary.

    Attributes
    ----------
    best : dict
        The best config.
    cost : float
        Its cost: the mean over its tasks or, if the function is noisy, over its runs.
    spent : float
        Cumulative cost of all runs.
    wall_s : float
        Elapsed time on the executor's clock.
    history : History
        Every run.
    trajectory : sequence of Incumbent
        Each best config at the time when it became the best.
    findings : sequence of Finding
        What turned up about runs; runs replayed from a journal are not included.
    reason : StopReason
        Why it stopped: `reason.kind` for programs, `str(reason)` for people.
    """

    best: dict[str, Any]
    cost: float
    spent: float
    wall_s: float
    history: History = field(repr=False)
    trajectory: Sequence[Incumbent] = field(repr=False)
    findings: Sequence[Finding]
    reason: StopReason

    def plot(self, *, figure: "Figure | None" = None) -> "Figure":
        """Draw the cost of the best config over the cost spent: see `tightrope.figures.draw_trajectory`."""
        return figures.draw_trajectory(self.trajectory, spent=self.spent, figure=figure)

    def plot_importance(self, *, figure: "Figure | None" = None, **options: Any) -> "Figure":
        """Draw which parameters matter; the options are those of `tightrope.importance`.

        See `tightrope.figures.draw_importance`.
        """
        table = import_module("tightrope").importance(self, **options)
        return figures.draw_importance(table, figure=figure)

    def _count_runs(self) -> str:
        """Return how the runs ended, in words."""
        counts = Counter(self.history.columns.status.tolist())
        by_status = {status: counts.get(code, 0) for code, status in enumerate(Status)}
        words = {
            Status.DONE: "finished",
            Status.CAPPED: "stopped at their caps",
            Status.FAILED: "failed",
            Status.LOST: "lost",
        }
        always = (Status.DONE, Status.CAPPED)
        return ", ".join(f"{n} {words[status]}" for status, n in by_status.items() if n or status in always)


@dataclass(frozen=True, kw_only=True)
class TuneResult(Result):
    """What `tune` found.

    Attributes
    ----------
    best, cost, spent, wall_s, history, trajectory, findings, reason
        As in `Result`; timeouts and failures cost ceiling x par.
    is_bound : bool
        Whether the cost is only a lower bound: some runs of the best config were stopped below the ceiling.
    n_tasks : int
        Number of tasks that the best config was run on.
    against_default : Contrast
        The default's mean cost over the best config's on their common tasks, with an interval.
    default : dict
        The default config.
    ceiling : float
        The largest cost of a run.
    scenario : Scenario or None
        What was tuned.
    """

    is_bound: bool
    n_tasks: int
    against_default: Contrast
    default: dict[str, Any] = field(default_factory=dict, repr=False)
    ceiling: float = field(default=inf, repr=False)
    scenario: Scenario | None = field(default=None, repr=False, compare=False)

    def plot_scatter(self, *, figure: "Figure | None" = None) -> "Figure":
        """Draw the costs of the default and the best config on each training instance.

        See `tightrope.figures.draw_scatter`.
        """
        default, best = ("default", Config(self.default)), ("best", Config(self.best))
        return figures.draw_scatter(self.history.runs, default, best, ceiling=self.ceiling, figure=figure)

    def __str__(self) -> str:
        at_least = "at least " if self.is_bound else ""
        tasks = "1 task" if self.n_tasks == 1 else f"{self.n_tasks} tasks"
        sentences = " ".join(
            [
                f"The best config costs {at_least}{self.cost:.3g} on {tasks}: {self.against_default}.",
                f"{len(self.history)} runs ({self._count_runs()}) cost {self.spent:.4g} in all.",
                f"Stopped because {self.reason}.",
            ]
        )
        return "\n".join([sentences, *self._warnings()])

    def _warnings(self) -> list[str]:
        """Return each kind of finding once, with its count."""
        first = {finding.code: finding for finding in reversed(self.findings)}
        counts = Counter(finding.code for finding in self.findings)
        return [f"{first[code]} ({counts[code]} in all)" for code in sorted(first)]


@dataclass(frozen=True, kw_only=True)
class MinimizeResult(Result):
    """What `minimize` found.

    Attributes
    ----------
    best, cost, spent, wall_s, history, trajectory, findings, reason
        As in `Result`.
    options : Options
        The settings of the search: space, model, design and so on.
    """

    options: Options = field(repr=False)

    @classmethod
    def of(
        cls, engine: Engine, reason: StopReason, *, wall_s: float = 0.0, findings: Sequence[Finding] = ()
    ) -> "MinimizeResult":
        """Sum up the runs of an engine; raise a TargetError if none of them finished."""
        history = History(engine.runs)
        config, cost = engine.best
        if config is None:
            error = TargetError(f"no evaluation finished: {reason}", hint=_advise(engine.runs))
            error.history = history
            raise error
        return cls(
            best=dict(config),
            cost=cost,
            spent=sum(run.outcome.spent for run in engine.runs),
            wall_s=wall_s,
            history=history,
            trajectory=tuple(engine.trajectory),
            findings=tuple(findings),
            reason=reason,
            options=engine.options,
        )

    def plot(self, *, figure: "Figure | None" = None) -> "Figure":
        """Draw the best cost, and every run, over the cost spent: see `tightrope.figures.draw_progress`."""
        return figures.draw_progress(self.history.runs, figure=figure)

    def plot_belief(self, *parameters: str, figure: "Figure | None" = None) -> "Figure":
        """Draw the model's final belief over one or two parameters.

        Parameters
        ----------
        *parameters : str
            Names of one or two parameters; the others are as in the best config. They may be left out if the
            space has no more than two.
        """
        return figures.draw_belief(self.options, self.history.runs, *parameters, figure=figure)

    def __str__(self) -> str:
        n_configs = len({run.trial.config for run in self.history.runs})
        sentences = [
            f"{self.best} costs {self.cost:.6g}.",
            f"{len(self.history)} runs of {n_configs} configs ({self._count_runs()}) cost {self.spent:.6g} "
            "in all.",
            *self._open_configs(),
            f"Stopped because {self.reason}.",
        ]
        return " ".join(sentences)

    def _open_configs(self) -> list[str]:
        """Return how many configs were stopped below the best cost, as a sentence."""
        known = tally_of(self.history.runs).known()
        n_open = sum(not each.costs and not each.failed and each.bound < self.cost for _, each in known)
        if n_open == 0:
            return []
        subject = "1 config was" if n_open == 1 else f"{n_open} configs were"
        return [f"{subject} stopped before that cost, and might be better."]


def _advise(runs: Sequence[Run]) -> str:
    failed = next((run for run in runs if run.outcome.status is Status.FAILED), None)
    if failed is not None:
        return f"the first failure was:\n{failed.outcome.note}"
    bounds = [run.outcome.cost for run in runs if run.censored]
    reached = f"the largest bound reached is {max(bounds):.6g}: " if bounds else ""
    return f"{reached}raise the budget or the ceiling"
