"""The search for hyperparameters: largest log evidence plus log prior, by L-BFGS-B from a few starts.

With many points a step is expensive, but the optimum hardly moves. The starts are therefore compared, and the
best is followed, on a subset of the points. A last search uses all points.
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

_SUBSET = 250  # points
_TRIAL_ITERATIONS = 8  # from each start before only the best one is followed
_PRECISION = 1e-4  # stop when an iteration gains less, as a share of the objective
_FLAT = 1e-2  # stop when no coordinate's gradient is larger
_MISMATCH = 1e-3  # of the propagation during the search; the log evidence is off by its square


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How long to search, and from where."""

    max_iter: int
    n_restarts: int
    start: Hyperparameters | None


@dataclass(frozen=True, slots=True)
class FitResult:
    """A process, and the iterations it took to find its hyperparameters."""

    process: Process
    n_iter: int


@dataclass(frozen=True, slots=True)
class _Point:
    """A point of the search: coordinates, objective, and whether the search from its start ended there."""

    theta: Floats
    value: float
    is_end: bool


def find_hyperparameters(
    observations: Observations, coordinates: Coordinates, *, options: SearchOptions, rng: np.random.Generator
) -> FitResult:
    """Find hyperparameters and return the process that has them."""
    if options.max_iter == 0:
        start = options.start or coordinates.to_hyperparameters(coordinates.first)
        return FitResult(condition(observations, start), n_iter=0)
    first = coordinates.first if options.start is None else coordinates.to_theta(options.start)
    others = [coordinates.draw(rng) for _ in range(options.n_restarts)]
    only_start = options.start is not None and not others  # near the optimum: the subset would not help
    subset = observations if only_start else _draw_subset(observations, rng)
    objective = _Objective(subset, coordinates)
    point = _follow_best(first, others, objective=objective, max_iter=options.max_iter)
    n_iter = objective.n_iter
    if subset is not observations:
        objective = _Objective(observations, coordinates)
        point = objective.descend(point.theta, options.max_iter)
        n_iter += objective.n_iter
    found = coordinates.to_hyperparameters(point.theta)
    return FitResult(condition(observations, found, start=objective.sites), n_iter)


def _follow_best(
    first: Floats, others: Sequence[Floats], *, objective: "_Objective", max_iter: int
) -> _Point:
    """Search from the first start to the end; switch to another if a few iterations from it lead lower."""
    best = objective.descend(first, max_iter)
    for theta in others:
        point = objective.descend(theta, min(_TRIAL_ITERATIONS, max_iter))
        best = min(best, point, key=lambda point: point.value)
    return best if best.is_end else objective.descend(best.theta, max_iter)


class _Objective:
    """Negative log posterior of the hyperparameters; each propagation starts from the last one's sites."""

    def __init__(self, observations: Observations, coordinates: Coordinates) -> None:
        self._observations, self._coordinates = observations, coordinates
        self.sites: Sites | None = None
        self.n_iter = 0

    def descend(self, theta: Floats, max_iter: int) -> _Point:
        """Minimise for at most `max_iter` iterations."""
        found = minimize(
            self._evaluate,
            theta,
            jac=True,
            method="L-BFGS-B",
            bounds=Bounds(self._coordinates.lowest, self._coordinates.highest),
            options={"maxiter": max_iter, "ftol": _PRECISION, "gtol": _FLAT},
        )
        self.n_iter += int(found.nit)
        is_end = bool(found.success) or found.nit == max_iter
        return _Point(np.asarray(found.x), float(found.fun), is_end=is_end)

    def _evaluate(self, theta: Floats) -> tuple[float, Floats]:
        hyperparameters = self._coordinates.to_hyperparameters(theta)
        process, gradient = evaluate(
            self._observations, hyperparameters, start=self.sites, tolerance=_MISMATCH
        )
        self.sites = process.sites
        if self._coordinates.noise is not None:
            gradient = np.delete(gradient, -2)
        log_prior, prior_gradient = self._coordinates.log_prior(theta)
        return -(process.log_evidence + log_prior), -(gradient + prior_gradient)


def _draw_subset(observations: Observations, rng: np.random.Generator) -> Observations:
    """Draw points with values and points with bounds, in proportion; return all points if they are few."""
    n, n_observed = len(observations.X), len(observations.values)
    if n <= 2 * _SUBSET:
        return observations
    n_drawn = min(n_observed, max(_SUBSET * n_observed // n, _SUBSET // 5))
    observed = rng.choice(n_observed, n_drawn, replace=False)
    bounded = rng.choice(n - n_observed, min(n - n_observed, _SUBSET - n_drawn), replace=False)
    rows = np.concatenate([observed, n_observed + bounded])
    return Observations(observations.X[rows], observations.values[observed], observations.bounds[bounded])
