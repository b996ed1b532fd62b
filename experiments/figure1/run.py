"""Draw the paper's Figure 1, two steps of optimisation, and its footnote: python experiments/figure1."""

import argparse
from pathlib import Path

import numpy as np
from lib.one_dimension import N_POINTS, SLACK, draw_interpolation, draw_step, evaluate, optimise
from matplotlib.figure import Figure

from tightrope.figures.style import legend_below


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("out/figure1.png"), help="file of the picture")
    parser.add_argument("--trees", type=int, default=1000, help="trees in each forest")
    options = parser.parse_args(arguments)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    draw(options.out, n_trees=options.trees)
    print(f"wrote {options.out}")


def draw(path: Path, *, n_trees: int) -> None:
    """Draw two steps, and the footnote: interpolation when nothing is censored."""
    steps = optimise(2, n_trees=n_trees)
    figure = Figure(figsize=(14.4, 4.8), layout="constrained")
    left, right = figure.subfigures(1, 2, width_ratios=(1.8, 1.0))
    panels = left.subplots(1, 2, sharey=True)
    for axes, step in zip(panels, steps, strict=True):
        draw_step(axes, step, n_trees=n_trees)
    n_stopped = steps[0].design.censored.sum()
    panels[0].set_title(f"(a) After {N_POINTS} evaluations, {n_stopped} of them stopped (slack {SLACK})")
    panels[1].set(title="(b) One evaluation later", ylabel="")
    legend_below(left, panels[1], n_columns=4)
    axes = right.subplots()
    draw_interpolation(axes, evaluate(np.sort(steps[0].design.x)), n_trees=n_trees)
    axes.set_title("(c) Without bootstrap the mean interpolates")
    legend_below(right, axes)
    figure.savefig(path, dpi=110)
