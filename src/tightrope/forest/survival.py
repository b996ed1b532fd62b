"""What survival analysis asks of a fitted forest: curves, medians, restricted means and risks."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import log_ndtr, ndtr

from tightrope.forest.checks import check_times
from tightrope.forest.scale import Scale

Floats = NDArray[np.float64]

_ROOT_2_PI = np.sqrt(2.0 * np.pi)


class Survival:
    """Methods of an estimator with beliefs about responses; see `CensoredForest`."""

    belief: Any
    event_times_: Floats
    _scale: Scale

    def predict_survival_function(self, X: Any, times: ArrayLike | None = None) -> Floats:
        """Return the probability that each row's response exceeds each time.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            Rows.
        times : array-like of shape (n_times,), default=None
            Times, on the scale of y. None means `event_times_`.

        Returns
        -------
        ndarray of shape (n_samples, n_times)
            Probabilities under the (log)normal belief about a response.
        """
        return np.asarray(np.exp(-self.predict_cumulative_hazard_function(X, times)))

    def predict_cumulative_hazard_function(self, X: Any, times: ArrayLike | None = None) -> Floats:
        """Return minus the logarithm of `predict_survival_function`, exact for late times, too.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            Rows.
        times : array-like of shape (n_times,), default=None
            Times, on the scale of y. None means `event_times_`.

        Returns
        -------
        ndarray of shape (n_samples, n_times)
            Cumulative hazards.
        """
        mean, std = self.belief(X, of="response")
        at = self._scale.from_response(self.event_times_ if times is None else check_times(times))
        distance = mean[:, np.newaxis] - at
        with np.errstate(divide="ignore", invalid="ignore"):
            steps = distance / std[:, np.newaxis]
        # A belief without variance is a step: a response above the time, or not.
        steps = np.where(np.isnan(steps), -np.inf, steps)
        return np.asarray(-log_ndtr(steps))

    def predict_median(self, X: Any) -> Floats:
        """Return the median of each row's response; the same as `predict`.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Medians, on the scale of y.
        """
        return self._scale.to_response(self.belief(X)[0])

    def predict_restricted_mean(self, X: Any, horizon: float) -> Floats:
        """Return the mean of each row's response, where responses beyond the horizon count as the horizon.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            Rows.
        horizon : float
            Limit, on the scale of y.

        Returns
        -------
        ndarray of shape (n_samples,)
            Restricted means, on the scale of y.
        """
        mean, std = self.belief(X, of="response")
        limit = self._scale.from_response(check_times([horizon], name="horizon"))[0]
        std = np.maximum(std, np.finfo(np.float64).tiny)
        with np.errstate(over="ignore"):
            b = (limit - mean) / std
        beyond = horizon * ndtr(-b)
        if self._scale.log:
            with np.errstate(over="ignore"):
                below = np.exp(mean + std * std / 2 + log_ndtr(b - std))
            return np.asarray(below + beyond)
        return np.asarray(
            mean * ndtr(b) - std * np.exp(-0.5 * np.minimum(b * b, 1400.0)) / _ROOT_2_PI + beyond
        )

    def predict_risk(self, X: Any) -> Floats:
        """Return a risk score: the larger, the smaller the response is expected to be.

        Tools of survival analysis, such as scikit-survival's metrics, expect scores in this direction.
        `predict` returns responses, which run in the other one.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Minus the mean of the belief, on the model's scale.
        """
        return np.asarray(-self.belief(X)[0])
