"""The paper's Figure 1(a) as a picture: python experiments/figure1.py."""

import argparse
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from one_dimension import N_POINTS, SLACK, draw_belief, draw_interpolation, evaluate, paper_design


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("out/figure1.png"), help="where the picture goes")
    parser.add_argument("--trees", type=int, default=1000, help="trees in each forest")
    options = parser.parse_args(arguments)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    draw(options.out, n_trees=options.trees)
    print(f"wrote {options.out}")


def draw(path: Path, *, n_trees: int) -> None:
    """Draw the belief under censoring beside the footnote: interpolation when nothing is censored."""
    design = paper_design()
    figure = Figure(figsize=(11.0, 5.0), layout="constrained")
    left, right = figure.subplots(1, 2)
    draw_belief(left, design, n_trees=n_trees)
    left.set_title(
        f"(a) Belief after {N_POINTS} evaluations, {design.censored.sum()} stopped (slack {SLACK})"
    )
    draw_interpolation(right, evaluate(np.sort(design.x), slack=np.inf), n_trees=n_trees)
    right.set_title("(b) Without bootstrap the mean interpolates")
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main()
