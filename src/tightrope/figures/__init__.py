"""Plots of runs as matplotlib figures (extra `plot`), and the figures of the report.

Each function `draw_...` draws on the given figure, or on a new one that pyplot does not manage, and returns
it: `figure.savefig("progress.png")`. To show a plot in a window, pass a figure of pyplot:
`draw_progress(runs, figure=plt.figure())` and `plt.show()`.

The figures of the report are functions of a result, a `History` (with `scenario=`, if it is known) or the
path of a run folder: `caps(result).save("caps.svg")`. A notebook shows them; `to_frame()` returns their data.
`incumbents`, `instances`, `survival`, `share_cut` and `returned` take several of these and overlay them.
"""

import importlib
from typing import TYPE_CHECKING, Any

from tightrope.figures.ablation import draw_ablation
from tightrope.figures.belief import draw_belief
from tightrope.figures.chart import draw_chart
from tightrope.figures.curve import draw_curve
from tightrope.figures.progress import draw_progress
from tightrope.figures.scatter import draw_scatter
from tightrope.figures.shares import draw_importance
from tightrope.figures.trajectory import draw_trajectory

if TYPE_CHECKING:
    from tightrope.gallery.figures import (
        ablation_path,
        caps,
        coordinates,
        coverage,
        heatmap,
        importance,
        incumbents,
        instances,
        interactions,
        model_error,
        returned,
        saved,
        share_cut,
        slices,
        survival,
        timeline,
        write_page,
    )

_GALLERY = (
    "ablation_path", "caps", "coordinates", "coverage", "heatmap", "importance", "incumbents", "instances",
    "interactions", "model_error", "returned", "saved", "share_cut", "slices", "survival", "timeline",
    "write_page",
)  # fmt: skip

__all__ = [
    "ablation_path",
    "caps",
    "coordinates",
    "coverage",
    "draw_ablation",
    "draw_belief",
    "draw_chart",
    "draw_curve",
    "draw_importance",
    "draw_progress",
    "draw_scatter",
    "draw_trajectory",
    "heatmap",
    "importance",
    "incumbents",
    "instances",
    "interactions",
    "model_error",
    "returned",
    "saved",
    "share_cut",
    "slices",
    "survival",
    "timeline",
    "write_page",
]


def __getattr__(name: str) -> Any:
    """Import the report when one of its figures is asked for: drawing with matplotlib does not need it."""
    if name not in _GALLERY:
        raise AttributeError(f"module 'tightrope.figures' has no attribute {name!r}")
    return getattr(importlib.import_module("tightrope.gallery.figures"), name)
