"""Scores of any config: for each factor, a random function that agrees with the known scores.

It is drawn from the posterior of a Gaussian process. The posterior's mean would predict better, but it is
smoother than a real solver, and its best configs are not as good as the solver's must be.

| symbol | meaning | shape |
| --- | --- | --- |
| X | known configs: numbers in [0, 1], then indices of choices | (n, d) |
| D | distance in each parameter: absolute difference, or 1 if the choices differ | (d, n, n) |
| y | one factor's scores | (n,) |
| w | weight of each parameter: the kernel is variance * exp(-sum of w * distance) | (d,) |
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize

from lib.surrogate.random_function import RandomFunction, draw_function, join

Floats = NDArray[np.float64]

_SEED = 0  # selects one of all plausible solvers
_N_FOR_WEIGHTS = 500  # known configs that the weights are fitted to; predictions use all
_ROUNDS = 40
_WEIGHT_BOUNDS = (-9.0, 2.0)  # of the logarithms
_DECIMALS = 1  # of the logarithms: the last digits of a fit differ from machine to machine
_FARTHEST = 50.0  # limit of all logarithms: a longer step of the optimiser would overflow


@dataclass(frozen=True, slots=True, eq=False)
class Smoother:
    """A function drawn from the prior for each factor, and its correction near known configs."""

    known: Floats  # (n, d)
    n_numbers: int
    weights: Floats  # (k, d)
    coefficients: Floats  # (n, k), factors of the kernel to each known config
    centre: Floats  # (k,)
    prior: RandomFunction  # k functions joined

    def predict(self, x: Floats) -> Floats:
        """Return the scores of one config, shape (k,)."""
        distance = np.abs(self.known - x)
        distance[:, self.n_numbers :] = distance[:, self.n_numbers :] > 0
        similarity = np.exp(-(distance @ self.weights.T))
        prior = self.prior.values(x[np.newaxis]).reshape(len(self.centre), -1).sum(axis=1)
        return np.asarray(prior + (similarity * self.coefficients).sum(axis=0) + self.centre)


def fit_smoother(X: Floats, scores: Floats, *, n_values: NDArray[np.intp]) -> Smoother:
    """Fit one process to each column of the scores; the last columns of X are choices with `n_values`."""
    n_numbers = X.shape[1] - len(n_values)
    rng = np.random.default_rng(_SEED)
    chosen = rng.permutation(len(X))[:_N_FOR_WEIGHTS]
    D = _distances(X, n_numbers=n_numbers)
    D_chosen = np.ascontiguousarray(D[:, chosen][:, :, chosen])
    centre = scores.mean(axis=0)
    weights, coefficients, priors = [], [], []
    for y in (scores - centre).T:
        w, variance, noise = _fit_hyperparameters(D_chosen, y[chosen])
        prior = draw_function(w, variance, n_values=n_values, rng=rng)
        K = np.exp(-np.tensordot(w, D, 1))
        K[np.diag_indices_from(K)] += noise / variance
        residual = y - prior.values(X).sum(axis=1) - rng.normal(0.0, np.sqrt(noise), len(y))
        weights.append(w)
        coefficients.append(cho_solve(cho_factor(K), residual))
        priors.append(prior)
    return Smoother(X, n_numbers, np.stack(weights), np.stack(coefficients, axis=1), centre, join(priors))


def _distances(X: Floats, *, n_numbers: int) -> Floats:
    D = np.abs(X.T[:, :, np.newaxis] - X.T[:, np.newaxis, :])
    D[n_numbers:] = D[n_numbers:] > 0
    return D


def _fit_hyperparameters(D: Floats, y: Floats) -> tuple[Floats, float, float]:
    """Maximise the marginal likelihood; return the weights, the variance and the noise variance."""
    n_weights = len(D)
    start = np.concatenate([np.full(n_weights, np.log(0.1)), np.log(y.var() * np.array([1.0, 0.2]))])
    bounds = [_WEIGHT_BOUNDS] * n_weights + [(None, None)] * 2
    found = minimize(
        _negative_log_evidence, start, args=(D, y), jac=True, bounds=bounds, options={"maxiter": _ROUNDS}
    )
    fitted = np.exp(np.round(found.x, _DECIMALS))
    return fitted[:-2], float(fitted[-2]), float(fitted[-1])


def _negative_log_evidence(logs: Floats, D: Floats, y: Floats) -> tuple[float, Floats]:
    """Return the negative log marginal likelihood and its gradient."""
    w, (variance, noise) = np.exp(logs[:-2]), np.exp(np.clip(logs[-2:], -_FARTHEST, _FARTHEST))
    K = variance * np.exp(-np.tensordot(w, D, 1))
    noisy = K + noise * np.eye(len(y))
    factor = cho_factor(noisy, lower=True)
    solved, inverse = cho_solve(factor, y), cho_solve(factor, np.eye(len(y)))
    slope = 0.5 * (inverse - np.outer(solved, solved))
    value = 0.5 * y @ solved + np.log(np.diag(factor[0])).sum()
    by_weight = -w * np.tensordot(D, slope * K, axes=2)
    return float(value), np.concatenate([by_weight, [np.vdot(slope, K), noise * np.trace(slope)]])
