"""The search for hyperparameters: largest log evidence plus log prior, by L-BFGS-B from a few starts.

Many points make a step dear and change little about where the optimum lies. The starts are therefore
compared, and the best is followed, on a part of the points; all of them have the last word.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, minimize

from tightrope.gp.evidence import Observations, Process, condition, evaluate
from tightrope.gp.hyperparameters import Coordinates, Hyperparameters
from tightrope.gp.sites import Sites

Floats = NDArray[np.float64]

_PART = 250  # points
_TRIAL_ITERATIONS = 8  # from each start before only the best one is followed
_PRECISION = 1e-4  # stop when an iteration gains less, as a share of the objective
_LEVEL = 1e-2  # stop when no coordinate's gradient is larger
_MISMATCH = 1e-3  # of the propagation meanwhile; its square is what the log evidence is off by


@dataclass(frozen=True, slots=True)
class Plan:
    """How long to search, and from where."""

    max_iter: int
    n_restarts: int
    start: Hyperparameters | None


@dataclass(frozen=True, slots=True)
class Found:
    """A process, and the iterations it took to find its hyperparameters."""

    process: Process
    n_iter: int


@dataclass(frozen=True, slots=True)
class _Place:
    """Somewhere on the way: coordinates, objective, and whether the way ends there."""

    theta: Floats
    value: float
    is_end: bool


def find(
    observations: Observations, coordinates: Coordinates, *, plan: Plan, rng: np.random.Generator
) -> Found:
    """Find hyperparameters and return the process that has them."""
    if plan.max_iter == 0:
        return Found(condition(observations, plan.start or coordinates.read(coordinates.first)), n_iter=0)
    first = coordinates.first if plan.start is None else coordinates.write(plan.start)
    others = [coordinates.draw(rng) for _ in range(plan.n_restarts)]
    alone = plan.start is not None and not others  # it is near the end: no detour
    part = observations if alone else _draw_part(observations, rng)
    objective = _Objective(part, coordinates)
    place = _follow_best(first, others, objective=objective, max_iter=plan.max_iter)
    n_iter = objective.n_iter
    if part is not observations:
        objective = _Objective(observations, coordinates)
        place = objective.descend(place.theta, plan.max_iter)
        n_iter += objective.n_iter
    return Found(condition(observations, coordinates.read(place.theta), start=objective.sites), n_iter)


def _follow_best(
    first: Floats, others: Sequence[Floats], *, objective: "_Objective", max_iter: int
) -> _Place:
    """Follow the first start to its end, and another if a few iterations from it lead lower."""
    best = objective.descend(first, max_iter)
    for theta in others:
        place = objective.descend(theta, min(_TRIAL_ITERATIONS, max_iter))
        best = min(best, place, key=lambda place: place.value)
    return best if best.is_end else objective.descend(best.theta, max_iter)


class _Objective:
    """Negative log posterior of the hyperparameters; each propagation begins where the last one ended."""

    def __init__(self, observations: Observations, coordinates: Coordinates) -> None:
        self._observations, self._coordinates = observations, coordinates
        self.sites: Sites | None = None
        self.n_iter = 0

    def descend(self, theta: Floats, max_iter: int) -> _Place:
        """Go downhill for at most so many iterations."""
        found = minimize(
            self._evaluate,
            theta,
            jac=True,
            method="L-BFGS-B",
            bounds=Bounds(self._coordinates.lowest, self._coordinates.highest),
            options={"maxiter": max_iter, "ftol": _PRECISION, "gtol": _LEVEL},
        )
        self.n_iter += int(found.nit)
        return _Place(
            np.asarray(found.x), float(found.fun), is_end=bool(found.success) or found.nit == max_iter
        )

    def _evaluate(self, theta: Floats) -> tuple[float, Floats]:
        process, gradient = evaluate(
            self._observations, self._coordinates.read(theta), start=self.sites, tolerance=_MISMATCH
        )
        self.sites = process.sites
        if self._coordinates.noise is not None:
            gradient = np.delete(gradient, -2)
        log_prior, prior_gradient = self._coordinates.log_prior(theta)
        return -(process.log_evidence + log_prior), -(gradient + prior_gradient)


def _draw_part(observations: Observations, rng: np.random.Generator) -> Observations:
    """Draw points with values and points with bounds, in proportion; all points if they are few."""
    n, n_observed = len(observations.X), len(observations.values)
    if n <= 2 * _PART:
        return observations
    n_drawn = min(n_observed, max(_PART * n_observed // n, _PART // 5))
    observed = rng.choice(n_observed, n_drawn, replace=False)
    bounded = rng.choice(n - n_observed, min(n - n_observed, _PART - n_drawn), replace=False)
    rows = np.concatenate([observed, n_observed + bounded])
    return Observations(observations.X[rows], observations.values[observed], observations.bounds[bounded])
