"""Which parameters matter: shares of the variance of predicted costs over all configs, and near the best."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import numpy as np

from tightrope.forest.importance import Analysis, Effect, effects, thresholds
from tightrope.report.draw.plot import BEST, DEFAULT, Plot
from tightrope.report.draw.scale import Scale
from tightrope.report.draw.table import Table
from tightrope.report.figure import Figure
from tightrope.report.sections.model import Fitted
from tightrope.report.tuning import Tuning

CostScale = Literal["log", "cost"]

N_IN_PAIRS: Final = 12  # parameters whose interactions are computed
_MOST_DRAWN, _MOST_INSTANCES = 15, 60
_ROW, _LETTER, _MOST_LETTERS = 24, 7.0, 40
_WIDTH = 480
_BELOW = (0, BEST, "all configs"), (1, DEFAULT, "near the best config")
_MAIN_READING = (
    "Share of the variation of the predicted cost (its logarithm) that each parameter explains by itself, "
    "with one standard deviation over the model's trees: among all configs, and among those that differ from "
    "the best one in this parameter only."
)
_PAIR_READING = (
    "What two parameters explain together beyond their own shares: a large share means that the best value "
    "of one depends on the other."
)


def effects_of(
    tuning: Tuning,
    fitted: Fitted,
    *,
    scale: CostScale = "log",
    at_most: Mapping[str, Any] | None = None,
    n_in_pairs: int = N_IN_PAIRS,
    most_instances: int | None = None,
) -> list[Effect]:
    """Return the effects of all parameters, then interactions, each in descending order.

    `at_most` is a config; `most_instances` thins the instances that are averaged over.
    """
    space, view = fitted.space, fitted.view.columns
    every = 1 if most_instances is None else max(1, -(-len(view) // most_instances))
    analysis = Analysis(
        fitted.forest,
        space.partition(thresholds(fitted.forest, space.n_columns), space.encode(tuning.progress.config)),
        np.ascontiguousarray(view[::every] if view.shape[1] else view[:1]),
        cost=scale == "cost",
        baseline=fitted.baseline[::every] if view.shape[1] else fitted.baseline[:1],
        at_most=None if at_most is None else space.for_model(space.encode([at_most]))[0],
    )
    return effects(analysis, space.names, n_in_pairs=n_in_pairs)


def importance(tuning: Tuning, fitted: Fitted) -> list[Figure]:
    """Draw the parameters that matter most, and their interactions; nothing if no tree has a split."""
    found = effects_of(tuning, fitted, most_instances=_MOST_INSTANCES)
    single = [effect for effect in found if len(effect.names) == 1]
    pairs = [effect for effect in found if len(effect.names) == 2 and effect.share > 0]
    if len(single) < 2 or not any(effect.share > 0 or effect.local > 0 for effect in single):
        return []
    return [_main(single)] + ([_pairs(pairs)] if pairs else [])


def _main(found: Sequence[Effect]) -> Figure:
    table = Table(("parameter", "share", "spread", "local", "local_spread"))
    rows = table.extend(
        (*each.names, each.share, each.spread, each.local, each.local_spread) for each in found
    )
    shown = found[:_MOST_DRAWN]
    plot = _plot(shown, "share of the variance, %")
    for offset, series, words in _BELOW:
        for i, each in enumerate(shown):
            share, spread = ((each.share, each.spread), (each.local, each.local_spread))[offset]
            _bar(plot, len(shown) - 1 - i + 0.16 - 0.32 * offset, share, spread, series, rows[i])
        plot.key(words, series, shape="dot")
    alt = f"Shares of the variance that {len(shown)} parameters explain; {found[0].names[0]} has the largest"
    note = f"The first {len(shown)} of {len(found)} parameters are drawn." if len(shown) < len(found) else ""
    return Figure.of(
        plot,
        table,
        name="importance",
        title="Shares of the variation",
        reading=_MAIN_READING,
        alt=alt,
        note=note,
    )


def _pairs(found: Sequence[Effect]) -> Figure:
    table = Table(("parameter", "partner", "share", "spread"))
    rows = table.extend((*each.names, each.share, each.spread) for each in found)
    shown = found[: _MOST_DRAWN - 5]
    plot = _plot(shown, "share of the variance, %")
    for i, each in enumerate(shown):
        _bar(plot, len(shown) - 1 - i, each.share, each.spread, BEST, rows[i])
    alt = f"Shares of the variance that {len(shown)} pairs of parameters explain together"
    n = len({name for each in found for name in each.names})
    among = f"Pairs among the {N_IN_PAIRS} parameters with the largest shares. " if n == N_IN_PAIRS else ""
    drawn = f"The first {len(shown)} of {len(found)} are drawn." if len(shown) < len(found) else ""
    note = (among + drawn).strip()
    return Figure.of(
        plot, table, name="interactions", title="Which parameters depend on each other",
        reading=_PAIR_READING, alt=alt, note=note,
    )  # fmt: skip


def _plot(shown: Sequence[Effect], label: str) -> Plot:
    names = [_shortened(" x ".join(each.names)) for each in reversed(shown)]
    ends = [100 * end for each in shown for end in (each.share + each.spread, _end(each))]
    height = 60 + _ROW * len(shown)
    left = int(20 + _LETTER * max(map(len, names)))
    y = Scale(-0.5, len(shown) - 0.5, names=names)
    return Plot(Scale(0.0, 1.05 * max(ends)), y, label, "", _WIDTH, height, left)


def _bar(plot: Plot, y: float, share: float, spread: float, series: int, row: int) -> None:
    low, high = 100 * max(0.0, share - spread), 100 * (share + spread)
    plot.line([low, high], [y, y], series, width=2.0)
    plot.marks([100 * share], [y], series, [row], size=8)


def _end(effect: Effect) -> float:
    return effect.local + effect.local_spread if effect.local == effect.local else 0.0


def _shortened(name: str) -> str:
    return name if len(name) <= _MOST_LETTERS else f"{name[: _MOST_LETTERS - 1]}…"
