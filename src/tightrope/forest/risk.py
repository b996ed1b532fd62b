"""A censored forest in the words of scikit-survival: `predict` returns risks, curves are functions."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import check_is_fitted

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SurvivalCurve:
    """The survival function of one row, defined for all times from 0 on."""

    forest: Any
    row: Floats
    domain: tuple[float, float] = (0.0, float("inf"))

    def __call__(self, times: ArrayLike) -> Floats:
        """Return the probability that the response exceeds each time."""
        found: Floats = self.forest.predict_survival_function(self.row, np.atleast_1d(times))[0]
        return found.reshape(np.shape(times))


class RiskModel(BaseEstimator):  # type: ignore[misc]
    """Adapter of a `CensoredForest` for tools that take predictions for risks.

    scikit-survival's scorers, such as `as_concordance_index_ipcw_scorer`, and its metrics expect that a
    larger prediction means an earlier event. A `CensoredForest` predicts responses, so they would score it
    backwards. Wrapped in this adapter, `predict` returns `predict_risk` of the forest.

    Parameters
    ----------
    forest : CensoredForest
        Forest to fit; it is cloned.

    Attributes
    ----------
    forest_ : CensoredForest
        The fitted forest.

    Examples
    --------
    >>> import numpy as np
    >>> from tightrope import CensoredForest
    >>> from tightrope.forest import RiskModel
    >>> X = np.arange(20.0)[:, np.newaxis]
    >>> y = np.array([(True, time) for time in range(1, 21)], dtype=[("event", bool), ("time", float)])
    >>> model = RiskModel(CensoredForest(random_state=0)).fit(X, y)
    >>> early, late = model.predict([[1.0], [18.0]])
    >>> bool(early > late)
    True
    """

    def __init__(self, forest: Any) -> None:
        self.forest = forest

    def fit(self, X: Any, y: Any) -> Self:
        """Fit a clone of the forest.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            Rows.
        y : structured array of shape (n_samples,)
            Event and time.

        Returns
        -------
        RiskModel
            The fitted adapter.
        """
        self.forest_ = clone(self.forest).fit(X, y)
        return self

    def predict(self, X: Any) -> Floats:
        """Return risk scores.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            The larger, the earlier the event.
        """
        check_is_fitted(self, "forest_")
        return np.asarray(self.forest_.predict_risk(X))

    def predict_survival_function(self, X: Any) -> list[SurvivalCurve]:
        """Return a function of time for each row.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        list of SurvivalCurve
            Functions that return probabilities.
        """
        check_is_fitted(self, "forest_")
        n_rows = len(X)
        rows = (X.iloc[[i]] if hasattr(X, "iloc") else np.asarray(X)[[i]] for i in range(n_rows))
        return [SurvivalCurve(self.forest_, row) for row in rows]

    def score(self, X: Any, y: Any) -> float:
        """Return Harrell's concordance.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            Rows.
        y : structured array of shape (n_samples,)
            Event and time.

        Returns
        -------
        float
            Share of comparable pairs in the right order.
        """
        check_is_fitted(self, "forest_")
        return float(self.forest_.score(X, y))
