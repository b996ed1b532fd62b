"""Ablation: the mean cost along the path from the default over the stripped to the best config."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, nan
from typing import TYPE_CHECKING, Any

from tightrope.figures.style import BLUE, GREY, INK, ORANGE, new_figure, tidy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MOST_LETTERS = 44  # of a label
_ROW, _REST = 0.32, 1.1  # inches of each stage, and of title and axis


@dataclass(frozen=True, slots=True)
class Stage:
    """A config on the path.

    Attributes
    ----------
    title : str
        Its name, if it is not the single change that leads to it.
    cost : float
        Its mean cost.
    interval : (float, float) or None
        95 % interval of the mean.
    is_bound : bool
        Whether the mean is a lower bound.
    changes : tuple of (name, before, after)
        The changes that lead to it; None stands for an inactive parameter.
    ratio : float
        Mean cost before the changes over that after them; NaN if it is open, or for the first one.
    ratio_interval : (float, float) or None
        95 % interval of the ratio.
    share : float
        Share of the whole gain.
    """

    title: str
    cost: float
    interval: tuple[float, float] | None = None
    is_bound: bool = False
    changes: tuple[tuple[str, Any, Any], ...] = ()
    ratio: float = nan
    ratio_interval: tuple[float, float] | None = None
    share: float = nan

    @property
    def label(self) -> str:
        """The title, or the changes."""
        return self.title or ", ".join(f"{name} = {_text(after)}" for name, _, after in self.changes)


@dataclass(frozen=True, slots=True)
class PathSummary:
    """The stages of an ablation, and its result in a sentence."""

    sentence: str
    stages: tuple[Stage, ...]

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> "PathSummary":
        """Read what `Ablation.as_dict` returned, perhaps from JSON, in which unknown numbers are null."""
        return cls(str(facts["sentence"]), tuple(_stage(row) for row in facts["path"]))


def _stage(row: Mapping[str, Any]) -> Stage:
    return Stage(
        row["title"],
        row["cost"],
        _interval(row["interval"]),
        is_bound=row["is_bound"],
        changes=tuple((each["name"], each["before"], each["after"]) for each in row["changes"]),
        ratio=nan if row["ratio"] is None else row["ratio"],
        ratio_interval=_interval(row["ratio_interval"]),
        share=nan if row["share"] is None else row["share"],
    )


def _interval(ends: Sequence[float | None] | None) -> tuple[float, float] | None:
    if ends is None:
        return None
    low, high = (inf if end is None else end for end in ends)
    return low, high


def draw_ablation(stages: Sequence[Stage], *, figure: "Figure | None" = None) -> "Figure":
    """Draw the mean cost after each step, from the default at the top to the best config at the bottom.

    A bar is the mean cost, with its 95 % interval; the number is the share of the gain. The orange bar is the
    stripped config, the last one before the other changes.

    Parameters
    ----------
    stages : sequence of Stage
        The path, as `Ablation.plot` passes it.
    figure : matplotlib.figure.Figure, optional
        Where to draw.

    Returns
    -------
    matplotlib.figure.Figure
    """
    figure = new_figure(figure, size=(7.0, _REST + _ROW * len(stages)))
    axes = figure.subplots()
    last = max((place for place, stage in enumerate(stages) if not stage.title), default=0)
    for place, stage in enumerate(stages):
        colour = ORANGE if place == last and place > 0 else GREY if stage.title else BLUE
        axes.barh(place, stage.cost, color=colour, height=0.7)
        end = stage.cost
        if stage.interval is not None and stage.interval[1] < inf:
            low, high = stage.interval
            axes.plot([low, high], [place, place], color=INK, linewidth=1.2)
            end = max(end, high)
        axes.annotate(
            percent(stage.share),
            (end, place),
            xytext=(5, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
        )
    axes.set_yticks(range(len(stages)), [_label(stage) for stage in stages])
    axes.invert_yaxis()
    axes.set_xlim(left=0)
    axes.margins(x=0.12)
    axes.set(xlabel="mean cost, with 95 % interval")
    axes.set_title("What each change gains")
    tidy(axes)
    return figure


def _label(stage: Stage) -> str:
    text = stage.label if stage.title else f"+ {stage.label}"
    return text if len(text) <= _MOST_LETTERS else f"{text[: _MOST_LETTERS - 3]}..."


def percent(share: float) -> str:
    """Write a share; nothing if it is unknown.

    >>> percent(0.481), percent(-0.001), percent(nan)
    ('48 %', '0 %', '')
    """
    return "" if share != share else f"{round(100.0 * share):d} %"


def _text(value: Any) -> str:
    if value is None:
        return "unused"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
