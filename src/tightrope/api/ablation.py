"""Ablation: the result of `ablate`, and the sentences that sum it up."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf, isnan, nan
from typing import TYPE_CHECKING, Any

from tightrope import figures
from tightrope.api.result import Result
from tightrope.compare.ablation.result import Route, Step
from tightrope.compare.contrast import Claim, Contrast
from tightrope.figures.ablation import Stage
from tightrope.store.frame import pandas

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, kw_only=True)
class Ablation(Result):
    """Which changes from the default to the best config matter; printed, it is a summary.

    Attributes
    ----------
    best, cost, spent, wall_s, history, findings, reason
        As in `Result`; the cost is measured anew. There is no trajectory.
    stripped : dict
        The default with the smallest set of changes found that keeps the gain.
    route : Route
        The path from the default over the stripped to the best config.
    is_time : bool
        Whether the cost is time.
    """

    stripped: dict[str, Any]
    route: Route = field(repr=False)
    is_time: bool = False

    @property
    def steps(self) -> Sequence[Step]:
        """The steps from the default to the stripped config."""
        return self.route.steps

    def plot(self, *, figure: "Figure | None" = None) -> "Figure":
        """Draw the mean cost after each step: see `tightrope.figures.draw_ablation`."""
        return figures.draw_ablation(stages_of(self.route), figure=figure)

    def to_frame(self) -> Any:
        """Return the path as a pandas DataFrame with one row for each step, the default first."""
        return pandas().DataFrame([_row(stage) | {"title": stage.label} for stage in stages_of(self.route)])

    def __str__(self) -> str:
        return "\n".join([self.sentence, *map(str, self.findings)])

    @property
    def sentence(self) -> str:
        """The result: how many changes keep the gain, and how much of it."""
        route = self.route
        if not route.steps:
            return "The best config is not measurably better than the default, so no change matters."
        changes = "1 change" if route.n_changes == 1 else f"{route.n_changes} changes"
        if route.others is None:
            needed = f"All {changes} are needed" if route.n_changes > 1 else "The only change is needed"
            if not route.is_stripped:
                needed = "No change could be left out yet"
            return f"{needed}: the best config {self._compare(route.kept)}.{self._unfinished()}"
        kept = f"{route.n_kept} of {changes} {'keeps' if route.n_kept == 1 else 'keep'} the gain"
        stripped = f"{kept}: the stripped config {self._compare(route.kept)}"
        if route.loss.claim is not Claim.SAME:
            cost = route.costs[2].mean / route.costs[1].mean
            low, high = route.loss.interval or (0.0, 0.0)
            between = f" (95 % interval {1 / high:.3g} to {1 / low:.3g})" if low > 0 else ""
            stripped += f", and costs {cost:.3g} times as much as the best{between}"
        return f"{stripped}.{self._unfinished()}"

    def _compare(self, contrast: Contrast) -> str:
        """Return how a config compares with the default."""
        if contrast.claim is Claim.OPEN:
            return "could not be compared with the default"
        verb = "is" if self.is_time and not contrast.is_score else "costs"
        how = "times faster than the default" if verb == "is" else "times less than the default"
        sign = ">= " if contrast.claim is Claim.AT_LEAST else ""
        return f"{verb} {sign}{contrast.ratio:.3g} {how}{_interval(contrast)}"

    def _unfinished(self) -> str:
        if not self.route.is_stripped:
            return " The search for a smaller set is not finished."
        return "" if self.route.is_complete else " The order of the last changes is not known yet."

    def as_dict(self) -> dict[str, Any]:
        """Return a dictionary for JSON, in which infinite numbers must become null."""
        route = self.route
        return {
            "default": dict(route.default),
            "best": dict(route.best),
            "stripped": dict(route.stripped),
            "changes": route.n_changes,
            "kept": route.n_kept,
            "share": route.share,
            "gain": _contrast(route.gain),
            "kept_gain": _contrast(route.kept),
            "loss": _contrast(route.loss),
            "path": [_row(stage) for stage in stages_of(route)],
            "stripped_finished": route.is_stripped,
            "finished": route.is_complete,
            "is_time": self.is_time,
            "sentence": self.sentence,
            "runs": len(self.history),
            "spent": self.spent,
            "reason": self.reason.text,
        }


def stages_of(route: Route) -> list[Stage]:
    """Return the costs along the path: of the default, after each step, and of the best config."""
    default = route.costs[0]
    stages = [Stage("the default", default.mean, default.interval, is_bound=default.is_bound)]
    stages += [_stage(step) for step in route.steps]
    if route.others is not None:
        n = len(route.others.changes)
        title = f"{n} other change{'' if n == 1 else 's'}"
        stages.append(_stage(route.others, title=title))
    return stages


def _stage(step: Step, *, title: str = "") -> Stage:
    return Stage(
        title,
        step.cost.mean,
        step.cost.interval,
        is_bound=step.cost.is_bound,
        changes=tuple((each.name, each.before, each.after) for each in step.changes),
        ratio=step.contrast.ratio,
        ratio_interval=step.contrast.interval,
        share=step.share,
    )


def _row(stage: Stage) -> dict[str, Any]:
    return {
        "title": stage.title,
        "changes": [
            {"name": name, "before": before, "after": after} for name, before, after in stage.changes
        ],
        "cost": stage.cost,
        "interval": stage.interval,
        "is_bound": stage.is_bound,
        "ratio": stage.ratio,
        "ratio_interval": stage.ratio_interval,
        "share": stage.share,
    }


def _contrast(contrast: Contrast) -> dict[str, Any]:
    return {
        "claim": contrast.claim.value,
        "ratio": contrast.ratio,
        "interval": contrast.interval,
        "tasks": contrast.n_tasks,
        "is_score": contrast.is_score,
    }


def _interval(contrast: Contrast) -> str:
    low, high = contrast.interval or (nan, nan)
    if isnan(low):
        return ""
    if high == inf:
        return f" (at least {low:.3g} with 95 % confidence)"
    return f" (95 % interval {low:.3g} to {high:.3g})"
