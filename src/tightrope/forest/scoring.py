"""Scores of predictions, on given rows and out of bag."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import r2_score

from tightrope.forest.checks import check_weights
from tightrope.forest.concordance import concordance, concordance_of_intervals
from tightrope.forest.targets import Targets, read_targets

Floats = NDArray[np.float64]


class Scores:
    """Methods of an estimator that predicts; see `CensoredForest`."""

    predict: Any

    def score(
        self, X: Any, y: Any, censored: ArrayLike | None = None, *, sample_weight: ArrayLike | None = None
    ) -> float:
        """Return R^2 of the predictions or, if any row is censored, their concordance.

        Harrell's concordance looks at the pairs of rows whose order is certain. It is the share of them that
        is predicted in the right order (the larger response has the larger prediction); 0.5 is chance.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            Rows.
        y : array-like of shape (n_samples,) or (n_samples, 2), or a pair
            Responses, bounds and intervals, as in `fit`.
        censored : array-like of shape (n_samples,), default=None
            True where the response is only known to be at least y.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows.

        Returns
        -------
        float
            Larger is better, 1 is best.
        """
        prediction = self.predict(X)
        targets = read_targets(y, censored, n_rows=len(prediction))
        return score_predictions(
            prediction, targets, weights=check_weights(sample_weight, n_rows=len(prediction))
        )


def score_predictions(prediction: Floats, targets: Targets, *, weights: Floats | None) -> float:
    """Return R^2 or, if any row is censored, the concordance."""
    if not targets.censored.any():
        return float(r2_score(targets.lower, prediction, sample_weight=weights))
    if targets.one_sided:
        return concordance(targets.lower, prediction, censored=targets.censored, weights=weights)
    return concordance_of_intervals(targets.lower, targets.upper, prediction, weights=weights)
