"""Scores of predictions, on given rows and out of bag."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import r2_score

from tightrope.forest.checks import check_weights, split_responses
from tightrope.forest.concordance import concordance

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
        y : array-like of shape (n_samples,)
            Responses and bounds, as in `fit`.
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
        values, is_bound = split_responses(y, censored, n_rows=len(prediction))
        weights = check_weights(sample_weight, n_rows=len(prediction))
        if is_bound.any():
            return concordance(values, prediction, censored=is_bound, weights=weights)
        return float(r2_score(values, prediction, sample_weight=weights))
