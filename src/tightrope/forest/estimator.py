"""CensoredForest: a scikit-learn regressor for right-censored responses."""

from typing import Any, Literal, Self, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.metrics import r2_score
from sklearn.utils.validation import check_is_fitted

from tightrope.forest.checks import check_baseline, check_probabilities, check_weights, split_responses
from tightrope.forest.columns import check_entries, encode_parts, read_numbers
from tightrope.forest.concordance import concordance
from tightrope.forest.imputation import grow_forest
from tightrope.forest.scale import Scale, mean_shares
from tightrope.forest.settings import count_threads, make_generator, read_growth, read_rules
from tightrope.forest.training import read_training_set

Floats = NDArray[np.float64]


class CensoredForest(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Random forest for right-censored responses, which are only known to exceed a bound.

    The response of a censored row is at least `y`. By default the forest imputes such responses iteratively
    from its own beliefs, truncated at the bounds, and preserves the uncertainty about them. This is
    Algorithm 1 of "Bayesian Optimization With Censored Response Data". If nothing is censored, this is an
    ordinary random forest.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees.
    treatment : {"sample", "mean", "drop", "ignore"}, default="sample"
        How to treat censored rows. "sample" imputes quantiles of the truncated belief, a different one for
        each copy of the row in the trees. "mean" imputes the mean of the truncated belief (Schmee and Hahn).
        "drop" leaves the rows out (unless all are censored). "ignore" takes the bounds as values.
    log : bool, default=False
        Model log(y) instead of y. y must then be positive. Recommended for runtimes and other costs that vary
        by orders of magnitude.
    ceiling : float, default=None
        Upper limit, on the scale of y, of the mean of a row's imputed values.
    ceiling_rule : {"shift", "shrink"}, default="shift"
        How to keep imputed values below the ceiling: "shift" all values of a row down by the same amount
        (the paper's rule; single values may fall below the row's bound), or "shrink" them towards the bound.
    par : float, default=1.0
        In `belief_marginal` of a log model, a row at the ceiling counts as `par` times the ceiling.
    positions : {"paper", "midpoint"}, default="paper"
        Quantiles for the N copies of a row: k/(N+1) or (k-1/2)/N, k = 1..N. With few trees the former
        keep too little variance.
    joint : bool, default=True
        Assign quantiles in the order of the trees, low ones to low-numbered trees, which preserves the
        uncertainty of a mean of imputed values. Otherwise assign them in random order.
    max_iter : int, default=10
        Maximum number of rounds of imputing and regrowing. The imputed values tend to creep upwards without
        end, so this is a parameter of the model and not only a limit on the effort.
    tol : float, default=0.01
        Stop when the mean change of the rows' imputed values, as a share of the range of y (on the model's
        scale), is at most this.
    oob : bool, default=False
        Impute a row only from the trees that hold no copy of it (out of bag).
    max_features : float, int, {"sqrt", "log2"} or None, default=5/6
        Columns drawn at each node: a share (rounded up), a number, or all of them.
    min_samples_split : int or float, default=2
        Minimum number of distinct rows, or share of all rows, of a node that may be split.
    min_samples_leaf : int or float, default=1
        Minimum number of distinct rows, or share of all rows, on each side of a split.
    bootstrap : bool, default=True
        Grow each tree from rows drawn with replacement; otherwise from every row once.
    min_variance : float, default=0.0
        Floor of the variance of beliefs, on the model's scale, in predictions and during imputation.
    n_jobs : int, default=None
        Threads, as joblib counts them: None means 1 and -1 all cores. The forest does not depend on it.
    random_state : int, RandomState instance or None, default=None
        Seed of the bootstrap, columns drawn, split points and, unless `joint`, the order of quantiles.

    Attributes
    ----------
    n_iter_ : int
        Rounds of imputing and growing; 1 if nothing had to be imputed.
    converged_ : bool
        Whether the imputed values converged within `max_iter` rounds.
    censored_ : ndarray of shape (n_censored,)
        Indices of the censored rows (without rows of weight 0).
    imputed_ : ndarray of shape (n_censored,)
        Mean of each censored row's imputed values, on the scale of y (if `log`, exp of the mean of logs); NaN
        if dropped.
    imputed_samples_ : ndarray of shape (n_estimators, n_censored)
        Mean of the values imputed for each row's copies in each tree, on the model's scale; NaN where a tree
        has none.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the columns, if fitted on a DataFrame.

    Notes
    -----
    The model's scale is logarithmic if `log`, and the scale of y otherwise. NaN in X is a value of its own,
    below all numbers. Categorical columns are split by subsets of levels; the number of levels is not
    limited.

    Examples
    --------
    >>> import numpy as np
    >>> from tightrope import CensoredForest
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(size=(200, 2))
    >>> runtime = np.exp(3 * X[:, 0] + rng.normal(scale=0.1, size=200))
    >>> censored = runtime > 8.0
    >>> y = np.minimum(runtime, 8.0)
    >>> forest = CensoredForest(log=True, random_state=0).fit(X, y, censored)
    >>> bool(forest.predict([[0.9, 0.5]])[0] > 8.0)
    True
    """

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        treatment: str = "sample",
        log: bool = False,
        ceiling: float | None = None,
        ceiling_rule: str = "shift",
        par: float = 1.0,
        positions: str = "paper",
        joint: bool = True,
        max_iter: int = 10,
        tol: float = 0.01,
        oob: bool = False,
        max_features: float | int | str | None = 5 / 6,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        bootstrap: bool = True,
        min_variance: float = 0.0,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.treatment = treatment
        self.log = log
        self.ceiling = ceiling
        self.ceiling_rule = ceiling_rule
        self.par = par
        self.positions = positions
        self.joint = joint
        self.max_iter = max_iter
        self.tol = tol
        self.oob = oob
        self.max_features = max_features
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.bootstrap = bootstrap
        self.min_variance = min_variance
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(
        self,
        X: Any,
        y: Any,
        censored: ArrayLike | None = None,
        *,
        categorical: Any = None,
        sample_weight: ArrayLike | None = None,
        baseline: ArrayLike | None = None,
    ) -> Self:
        """Grow the forest.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            Numbers; NaN is allowed. Columns of a DataFrame that hold categories, strings or booleans become
            categorical, and their levels are remembered.
        y : array-like of shape (n_samples,)
            Responses; for censored rows, their lower bounds. A structured array with the fields event (bool)
            and time, as in scikit-survival, also marks the censored rows: those without event.
        censored : array-like of shape (n_samples,), default=None
            True where the response is only known to be at least y.
        categorical : sequence of int or str, or mask, default=None
            Categorical columns, by index or name. They hold whole numbers.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows in the trees; rows of weight 0 are left out.
        baseline : array-like of shape (n_samples,), default=None
            Typical response of each row, if known. The forest then models y / baseline, and all predictions
            and imputed values are multiples of the baseline. Needs `log`.

        Returns
        -------
        CensoredForest
            The fitted estimator.
        """
        self.__dict__.pop("forest_", None)  # a fit that fails leaves no forest of other columns behind
        parameters = self.get_params(deep=False)
        training = read_training_set(
            self,
            X,
            y,
            censored=censored,
            categorical=categorical,
            sample_weight=sample_weight,
            baseline=baseline,
            parameters=parameters,
        )
        unit = training.responses.unit
        rules = read_rules(parameters, unit=unit)
        imputed = grow_forest(
            training.X,
            training.responses,
            categorical=training.columns.categorical,
            rules=rules,
            growth=read_growth(parameters, shape=training.X.shape),
            rng=make_generator(self.random_state),
        )
        self._columns = training.columns
        self._scale = Scale(bool(self.log), unit=unit, min_variance=rules.min_variance)
        self.censored_ = training.censored_rows
        self.forest_ = imputed.forest
        self.imputed_ = self._scale.to_response(imputed.means * self._scale.unit)
        self.imputed_samples_ = imputed.samples * self._scale.unit
        self.n_iter_, self.converged_ = imputed.n_iter, imputed.converged
        return self

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
            Also return the standard deviation of the belief. Not available with `log`: use `belief`.

        Returns
        -------
        ndarray of shape (n_samples,), or a tuple of two
            Mean of the trees' predictions. If `log`, its exponential: the median of a lognormal belief.
        """
        check_is_fitted(self, "forest_")
        if return_std and self._scale.log:
            raise ValueError("return_std=True is not defined on the scale of y when log=True: use belief(X)")
        mean, std = self.belief(X)
        if return_std:
            return mean, std
        return self._scale.to_response(mean)

    def belief(self, X: Any) -> tuple[Floats, Floats]:
        """Return mean and standard deviation of the trees' predictions, on the model's scale.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        mean, std : ndarrays of shape (n_samples,)
            Of the normal belief about each row.
        """
        check_is_fitted(self, "forest_")
        return self._scale.belief(*self.forest_.predict(self._encode(X), count_threads(self.n_jobs)))

    def predict_quantile(self, X: Any, q: ArrayLike) -> Floats:
        """Return quantiles of the normal (if `log`, lognormal) belief, on the scale of y.

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
        mean, std = self.belief(X)
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

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def _encode(self, X: Any) -> Floats:
        numbers = read_numbers(self, X, codes=self._columns.codes, reset=False)
        check_entries(numbers, self._columns.categorical)
        return numbers
