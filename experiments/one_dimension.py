"""A forest's belief about a 1-D function: the paper's Figure 1(a) and the footnote on interpolation."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from tightrope import CensoredForest

Floats = NDArray[np.float64]

N_POINTS = 12
SLACK = 1.3
DESIGN_SEED = 10

_INK, _ORANGE, _BLUE, _GREEN, _GREY = "#222222", "#d55e00", "#0072b2", "#007e5e", "#cdd3dc"
_CIRCLE = {"markerfacecolor": "white", "markeredgecolor": _ORANGE, "markeredgewidth": 2.0, "markersize": 8}
_CROSS = {"color": _ORANGE, "markeredgewidth": 2.4, "markersize": 8}


@dataclass(frozen=True, slots=True)
class Design:
    """Evaluated points in order of evaluation; y is a bound where censored."""

    x: Floats
    y: Floats
    censored: NDArray[np.bool_]


def cost(x: Floats) -> Floats:
    """Positive and smooth, with three valleys of different depth for x between 0 and 1."""
    return 4.4 + 2.0 * np.cos(16.0 * x + 0.6) + 8.0 * (x - 0.6) ** 2


def latin_hypercube(n_points: int, rng: np.random.Generator) -> Floats:
    """One point in each of n equal intervals of [0, 1], in random order."""
    return (rng.permutation(n_points) + rng.uniform(size=n_points)) / n_points


def evaluate(x: Floats, *, slack: float) -> Design:
    """Evaluate in order, each point under the cap slack x the best value seen before it."""
    truth = cost(x)
    best = np.minimum.accumulate(truth)  # with a slack of at least 1 the best is never stopped
    caps = slack * np.append(np.inf, best[:-1])
    return Design(x, np.minimum(truth, caps), censored=truth > caps)


def expected_improvement(mean: Floats, std: Floats, *, best: float) -> Floats:
    """E[max(0, best - f)] for a normal f: std (u Phi(u) + phi(u)) with u = (best - mean) / std."""
    certain = std == 0
    u = (best - mean) / np.where(certain, 1.0, std)
    density = np.exp(-0.5 * u**2) / np.sqrt(2.0 * np.pi)
    return np.where(certain, np.maximum(best - mean, 0.0), std * (u * ndtr(u) + density))


def paper_design() -> Design:
    """Return the Latin hypercube design of the pictures."""
    return evaluate(latin_hypercube(N_POINTS, np.random.default_rng(DESIGN_SEED)), slack=SLACK)


def draw_belief(axes: Any, design: Design, *, n_trees: int) -> None:
    """Draw function, evaluations, belief and, below them, the expected improvement."""
    grid = np.linspace(0.0, 1.0, 1001)
    forest = CensoredForest(n_trees, random_state=0)
    mean, std = forest.fit(design.x[:, np.newaxis], design.y, design.censored).belief(grid[:, np.newaxis])
    improvement = expected_improvement(mean, std, best=float(design.y[~design.censored].min()))
    known = ~design.censored
    axes.plot(grid, cost(grid), color=_INK, linewidth=1.8, label="true function")
    axes.plot(design.x[known], design.y[known], "o", zorder=5, label="evaluated", **_CIRCLE)
    stopped = {"label": "stopped at its cap: a lower bound", "zorder": 5, **_CROSS}
    axes.plot(design.x[design.censored], design.y[design.censored], "x", **stopped)
    axes.plot(grid, mean, ":", color=_BLUE, linewidth=2.4, label=f"mean of {n_trees} trees")
    axes.fill_between(
        grid, mean - std, mean + std, color=_GREY, linewidth=0, label="mean ± standard deviation"
    )
    scaled = improvement / improvement.max()
    axes.plot(grid, scaled, "--", color=_GREEN, linewidth=1.6, label="expected improvement (scaled)")
    _finish(axes)


def interpolation_error(design: Design, *, n_trees: int, bootstrap: bool) -> tuple[Floats, Floats, float]:
    """Grid, mean of the trees, and its largest distance from linear interpolation of uncensored points."""
    order = np.argsort(design.x)
    grid = np.linspace(design.x.min(), design.x.max(), 1001)
    forest = CensoredForest(n_trees, bootstrap=bootstrap, random_state=0)
    mean, _ = forest.fit(design.x[:, np.newaxis], design.y).belief(grid[:, np.newaxis])
    straight = np.interp(grid, design.x[order], design.y[order])
    return grid, mean, float(np.abs(mean - straight).max())


def draw_interpolation(axes: Any, design: Design, *, n_trees: int) -> None:
    """Draw the mean of many trees, with and without bootstrap, over straight lines between the points."""
    order = np.argsort(design.x)
    axes.plot(design.x[order], design.y[order], color=_GREY, linewidth=6.0, label="linear interpolation")
    for bootstrap, style, colour in ((False, ":", _BLUE), (True, "--", _GREEN)):
        grid, mean, error = interpolation_error(design, n_trees=n_trees, bootstrap=bootstrap)
        label = f"{'with' if bootstrap else 'no'} bootstrap: off by at most {error:.2f}"
        axes.plot(grid, mean, style, color=colour, linewidth=2.2, label=label)
    axes.plot(design.x, design.y, "o", zorder=5, label="evaluated, none stopped", **_CIRCLE)
    _finish(axes)


def _finish(axes: Any) -> None:
    axes.set(xlabel="x", ylabel="cost", xlim=(-0.02, 1.02), ylim=(0.0, 9.2))
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncol=2, frameon=False, fontsize=9)
