"""Bayesian optimisation of a 1-D function: the paper's Figure 1 and its footnote on interpolation."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope import CensoredForest, Optimizer
from tightrope.figures.style import BLUE, GREEN, GREY, INK, ORANGE, tidy
from tightrope.forest import ALGORITHM_1
from tightrope.records import Run
from tightrope.search.acquisition import expected_improvement
from tightrope.search.model import Belief, Observations
from tightrope.search.surrogate import ForestModel

Floats = NDArray[np.float64]

N_POINTS = 12
SLACK = 1.3
SEED = 8

_CIRCLE = {"markerfacecolor": "white", "markeredgecolor": ORANGE, "markeredgewidth": 2.0, "markersize": 8}
_CROSS = {"color": ORANGE, "markeredgewidth": 2.4, "markersize": 8}


@dataclass(frozen=True, slots=True)
class Design:
    """Evaluated points in order of evaluation; y is a bound where censored."""

    x: Floats
    y: Floats
    censored: NDArray[np.bool_]

    @classmethod
    def of(cls, runs: Sequence[Run]) -> "Design":
        """Take the points from runs."""
        return cls(
            np.array([run.trial.config["x"] for run in runs]),
            np.array([run.outcome.cost for run in runs]),
            censored=np.array([run.censored for run in runs]),
        )


@dataclass(frozen=True, slots=True)
class Step:
    """One step: the evaluated points, the model's belief, and the next point."""

    design: Design
    belief: Belief
    next_x: float

    def improvement(self, grid: Floats) -> Floats:
        """Return the expected improvement on the best cost."""
        mean, std = self.belief(grid[:, np.newaxis])
        return expected_improvement(mean, std, best=float(self.design.y[~self.design.censored].min()))


class RecordingModel:
    """The paper's forest on the raw scale; it keeps the belief of every fit."""

    log = False

    def __init__(self, n_trees: int) -> None:
        self._model = ForestModel(log=False, options={"n_estimators": n_trees, "max_iter": 10})
        self.beliefs: list[Belief] = []

    def fit(self, observations: Observations, *, seed: int) -> Belief:
        """Fit a forest."""
        self.beliefs.append(self._model.fit(observations, seed=seed))
        return self.beliefs[-1]


def cost(x: Floats) -> Floats:
    """Positive and smooth, with three valleys of different depth for x between 0 and 1."""
    return 4.4 + 2.0 * np.cos(16.0 * x + 0.6) + 8.0 * (x - 0.6) ** 2


def evaluate(x: Floats) -> Design:
    """Evaluate points without a cap."""
    return Design(x, cost(x), censored=np.zeros(x.size, dtype=bool))


def optimise(n_steps: int, *, n_trees: int, seed: int = SEED) -> list[Step]:
    """Run Algorithm 2 from a Latin hypercube; return the steps after the initial design."""
    model = RecordingModel(n_trees)
    settings = {"slack": SLACK, "design": "lhd", "n_initial": N_POINTS, "random_share": 0.0}
    optimizer = Optimizer({"x": (0.0, 1.0)}, model=model, log=False, seed=seed, **settings)
    steps = []
    while len(steps) < n_steps:
        known = tuple(optimizer.runs)
        trial = optimizer.ask()
        if len(model.beliefs) > len(steps):
            steps.append(Step(Design.of(known), model.beliefs[-1], trial.config["x"]))
        truth = float(cost(trial.config["x"]))
        optimizer.tell(trial, min(truth, trial.cap), capped=truth > trial.cap)
    return steps


def draw_step(axes: Any, step: Step, *, n_trees: int) -> None:
    """Draw function, evaluations, belief, expected improvement and the next point."""
    grid, design = np.linspace(0.0, 1.0, 1001), step.design
    mean, std = step.belief(grid[:, np.newaxis])
    axes.plot(grid, cost(grid), color=INK, linewidth=1.8, label="true function")
    known = ~design.censored
    axes.plot(design.x[known], design.y[known], "o", zorder=5, label="evaluated", **_CIRCLE)
    stopped = {"label": "stopped at its cap: a lower bound", "zorder": 5, **_CROSS}
    axes.plot(design.x[design.censored], design.y[design.censored], "x", **stopped)
    _ring_newest(axes, design)
    axes.plot(grid, mean, ":", color=BLUE, linewidth=2.4, label=f"mean of {n_trees} trees")
    spread = {"color": GREY, "linewidth": 0, "label": "mean ± standard deviation"}
    axes.fill_between(grid, mean - std, mean + std, **spread)
    improvement = step.improvement(grid)
    scale = 1.0 / improvement.max()
    axes.plot(
        grid, scale * improvement, "--", color=GREEN, linewidth=1.6, label="expected improvement (scaled)"
    )
    height = scale * step.improvement(np.array([step.next_x]))
    axes.plot([step.next_x], height, "v", color=GREEN, markersize=9, zorder=6, label="evaluated next")
    _finish(axes)


def _ring_newest(axes: Any, design: Design) -> None:
    """Draw a ring around the evaluation after the initial design, if there is one."""
    new = slice(N_POINTS, None)
    if design.x[new].size:
        ring = {"markersize": 15, "markerfacecolor": "none", "markeredgecolor": GREEN, "markeredgewidth": 1.8}
        axes.plot(design.x[new], design.y[new], "o", zorder=6, label="new in this step", **ring)


def interpolation_error(design: Design, *, n_trees: int, bootstrap: bool) -> tuple[Floats, Floats, float]:
    """Return a grid, the trees' mean, and its largest distance from linear interpolation of the points."""
    order = np.argsort(design.x)
    grid = np.linspace(design.x.min(), design.x.max(), 1001)
    forest = CensoredForest(n_trees, bootstrap=bootstrap, random_state=0, **ALGORITHM_1)
    mean, _ = forest.fit(design.x[:, np.newaxis], design.y).belief(grid[:, np.newaxis])
    straight = np.interp(grid, design.x[order], design.y[order])
    return grid, mean, float(np.abs(mean - straight).max())


def draw_interpolation(axes: Any, design: Design, *, n_trees: int) -> None:
    """Draw the mean of many trees, with and without bootstrap, over straight lines between the points."""
    order = np.argsort(design.x)
    axes.plot(design.x[order], design.y[order], color=GREY, linewidth=6.0, label="linear interpolation")
    for bootstrap, style, colour in ((False, ":", BLUE), (True, "--", GREEN)):
        grid, mean, error = interpolation_error(design, n_trees=n_trees, bootstrap=bootstrap)
        label = f"{'with' if bootstrap else 'no'} bootstrap: at most {error:.2f} off"
        axes.plot(grid, mean, style, color=colour, linewidth=2.2, label=label)
    axes.plot(design.x, design.y, "o", zorder=5, label="evaluated, none stopped", **_CIRCLE)
    _finish(axes)


def _finish(axes: Any) -> None:
    axes.set(xlabel="x", ylabel="cost", xlim=(-0.02, 1.02), ylim=(0.0, 9.2))
    tidy(axes)
