"""What a fitted forest predicts: means, beliefs and quantiles of responses, and marginals over instances."""

from typing import Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri
from sklearn.utils.validation import check_is_fitted

from tightrope.forest import _kernel
from tightrope.forest.checks import check_baseline, check_choice, check_probabilities
from tightrope.forest.columns import Columns, check_entries, encode_parts, read_numbers
from tightrope.forest.moments import moments
from tightrope.forest.scale import Scale, mean_shares
from tightrope.forest.settings import count_threads

Floats = NDArray[np.float64]


class Predictions:
    """Methods of a fitted estimator; see `CensoredForest`."""

    forest_: _kernel.Forest
    n_jobs: int | None
    _columns: Columns
    _scale: Scale

    @overload
    def predict(self, X: Any, *, return_std: Literal[False] = False) -> Floats: ...

    @overload
    def predict(self, X: Any, *, return_std: Literal[True]) -> tuple[Floats, Floats]: ...

    def predict(self, X: Any, *, return_std: bool = False) -> Floats | tuple[Floats, Floats]:
        """Predict responses.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            Rows.
        return_std : bool, default=False
            Also return the standard deviation of a response. Not available with `log`: use `belief`.

        Returns
        -------
        ndarray of shape (n_samples,), or a tuple of two
            Mean of the trees' predictions. If `log`, its exponential: the median of a lognormal belief.
        """
        check_is_fitted(self, "forest_")
        if return_std and self._scale.log:
            raise ValueError("return_std=True is not defined on the scale of y when log=True: use belief(X)")
        if return_std:
            return self.belief(X, of="response")
        return self._scale.to_response(self.belief(X)[0])

    def belief(self, X: Any, *, of: str = "mean") -> tuple[Floats, Floats]:
        """Return mean and standard deviation of the belief about rows, on the model's scale.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            Rows.
        of : {"mean", "response"}, default="mean"
            What the belief is about. "mean": the mean of responses at these columns; its variance is that of
            the trees' predictions (the spread). "response": a single response; its variance is the spread
            plus the noise within leaves, and at least `min_variance_`. A number as `min_variance` is a floor
            of both.

        Returns
        -------
        mean, std : ndarrays of shape (n_samples,)
            Of the normal belief about each row.
        """
        check_is_fitted(self, "forest_")
        check_choice("of", of, ("mean", "response"))
        numbers, threads = self._encode(X), count_threads(self.n_jobs)
        if of == "mean":
            return self._scale.belief(*self.forest_.predict(numbers, threads))
        seen = moments(self.forest_, numbers, threads=threads, noise=self._scale.noise)
        return self._scale.belief_of_response(seen)

    def predict_quantile(self, X: Any, q: ArrayLike) -> Floats:
        """Return quantiles of a response, normal (if `log`, lognormal) with noise, on the scale of y.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            Rows.
        q : float or array-like
            Probabilities between 0 and 1.

        Returns
        -------
        ndarray of shape (n_samples,) + shape of q
            Quantiles.
        """
        steps = ndtri(check_probabilities(q))
        mean, std = self.belief(X, of="response")
        quantiles = np.add.outer(mean, np.zeros(steps.shape)) + np.multiply.outer(std, steps)
        return self._scale.to_response(quantiles)

    def predict_trees(self, X: Any) -> Floats:
        """Return the prediction of every tree, on the model's scale.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples, n_estimators)
            Predictions.
        """
        check_is_fitted(self, "forest_")
        return self.forest_.predict_trees(self._encode(X), count_threads(self.n_jobs)).T * self._scale.unit

    def belief_marginal(
        self, configs: Any, instances: Any, *, baseline: ArrayLike | None = None
    ) -> tuple[Floats, Floats]:
        """Return the belief about the mean of each config over all instances, on the model's scale.

        The columns of X in `fit` are those of the configs followed by those of the instances. If `log`, every
        tree averages costs over the instances, not their logarithms. Costs at or beyond the ceiling count as
        `par` times the ceiling. The belief is about the logarithm of this mean.

        Parameters
        ----------
        configs : array-like or DataFrame of shape (n_configs, n_config_columns)
            Configs.
        instances : array-like or DataFrame of shape (n_instances, n_features - n_config_columns)
            Instances to average over.
        baseline : array-like of shape (n_instances,), default=None
            Typical response of each instance: predictions for it are multiples of that, as in `fit`.

        Returns
        -------
        mean, std : ndarrays of shape (n_configs,)
            Of the normal belief about each config.
        """
        check_is_fitted(self, "forest_")
        names = getattr(self, "feature_names_in_", None)
        parts = encode_parts(configs, instances, columns=self._columns, names=names)
        factors = None if baseline is None else check_baseline(baseline, n=len(parts[1]))
        trees = self.forest_.marginal(*parts, count_threads(self.n_jobs), self._scale.log, factors)
        trees = np.log(trees) if self._scale.log else trees
        return self._scale.belief(trees.mean(axis=0), trees.var(axis=0))

    def apply(self, X: Any) -> NDArray[np.intp]:
        """Return the leaf of every tree that each row falls into.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples, n_estimators)
            Numbers of nodes; those of different trees have nothing to do with each other.
        """
        check_is_fitted(self, "forest_")
        return self.forest_.apply(self._encode(X), count_threads(self.n_jobs)).T.astype(np.intp)

    @property
    def feature_importances_(self) -> Floats:
        """Each column's share of the reduction of squared error, averaged over the trees; they sum to 1.

        Returns
        -------
        ndarray of shape (`n_features_in_`,)
            Shares; all 0 if no tree has a split.
        """
        check_is_fitted(self, "forest_")
        return mean_shares(self.forest_.gains())

    def _encode(self, X: Any) -> Floats:
        numbers = read_numbers(self, X, codes=self._columns.codes, reset=False)
        check_entries(numbers, self._columns.categorical)
        return numbers
