"""Compare four treatments of censored runs on generated runtimes: python experiments/four_treatments."""

import argparse
from pathlib import Path

import numpy as np
from lib.one_dimension import draw_step, optimise
from lib.treatments.capping import cap_runs
from lib.treatments.fitting import TREATMENTS, Score, fit_and_score
from lib.treatments.synthetic import make_problem
from matplotlib.figure import Figure

from tightrope.figures.style import legend_below

SLACK = 1.3
_MEANINGS = {
    "sample": "sample a cost above the cap",
    "mean": "use the expected cost above the cap",
    "drop": "leave the run out",
    "ignore": "use the cap as the cost",
}


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--out", type=Path, default=Path("out/four_treatments.png"), help="file of the picture"
    )
    parser.add_argument("--problems", type=int, default=10, help="number of problems")
    parser.add_argument("--runs", type=int, default=500, help="training runs in each problem")
    parser.add_argument("--trees", type=int, default=100, help="trees in each forest")
    options = parser.parse_args(arguments)
    scores, shares = compare(options.problems, n_runs=options.runs, n_trees=options.trees)
    print(f"{options.problems} problems of {options.runs} generated runs, each stopped at {SLACK} x the best")
    print(f"cost so far on its instance: {np.mean(shares):.0%} did not finish. How to treat these runs?\n")
    print(format_table(scores))
    print(f"\n{describe_best(scores)}\n")
    draw(options.out, n_trees=options.trees)
    print(f"picture: {options.out}")


def compare(n_problems: int, *, n_runs: int, n_trees: int) -> tuple[dict[str, list[Score]], list[float]]:
    """Return scores of every treatment on every problem, and every problem's share of censored runs."""
    scores: dict[str, list[Score]] = {treatment: [] for treatment in TREATMENTS}
    shares = []
    for seed in range(n_problems):
        problem = make_problem(seed, n_instances=20, n_train=n_runs, n_test=n_runs)
        capped = cap_runs(problem.train, slack=SLACK, ceiling=problem.ceiling)
        shares.append(float(capped.censored.mean()))
        for treatment in TREATMENTS:
            settings = {"treatment": treatment, "n_estimators": n_trees}
            scores[treatment].append(fit_and_score(problem, capped, seed=seed, settings=settings))
    return scores, shares


def format_table(scores: dict[str, list[Score]]) -> str:
    """Return medians over the problems, a row for each treatment."""
    lines = [f"  {'treatment':51s}{'RMSE':>8s}{'log likelihood':>18s}", "  " + "-" * 77]
    for treatment, meaning in _MEANINGS.items():
        error = median_error(scores[treatment])
        likelihood = float(np.median([score.log_likelihood for score in scores[treatment]]))
        lines.append(f"  {treatment:10s}{meaning:41s}{error:8.2f}{likelihood:18.2f}")
    return "\n".join([*lines, "  of log10 cost of unseen configs; medians; a higher likelihood is better"])


def describe_best(scores: dict[str, list[Score]]) -> str:
    """Return a sentence that compares the treatment with the smallest error with the others."""
    factors = {treatment: 10 ** median_error(scores[treatment]) for treatment in scores}
    best, *others = sorted(factors, key=factors.__getitem__)
    against = ", ".join(f"{factors[treatment]:.1f} with {treatment!r}" for treatment in others)
    return f"Predictions are typically off by a factor of {factors[best]:.1f} with {best!r}, {against}."


def median_error(scores: list[Score]) -> float:
    """Return the median RMSE over the problems."""
    return float(np.median([score.rmse for score in scores]))


def draw(path: Path, *, n_trees: int) -> None:
    """Draw a forest's belief about a 1-D function of which some values are only bounds."""
    path.parent.mkdir(parents=True, exist_ok=True)
    figure = Figure(figsize=(6.4, 4.8), layout="constrained")
    axes = figure.subplots()
    (step,) = optimise(1, n_trees=10 * n_trees)
    draw_step(axes, step, n_trees=10 * n_trees)
    legend_below(figure, axes)
    axes.set_title("What a censored forest believes")
    figure.savefig(path, dpi=110)
