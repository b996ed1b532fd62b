"""CensoredForest: a scikit-learn regressor for right-censored responses."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin

from tightrope.forest.choice import Training, grow_chosen
from tightrope.forest.oob import score_out_of_bag
from tightrope.forest.predictions import Predictions
from tightrope.forest.scale import Scale
from tightrope.forest.scoring import Scores
from tightrope.forest.settings import make_generator, read_growth, read_open, read_rules
from tightrope.forest.survival import Survival
from tightrope.forest.training import read_training_set


class CensoredForest(Predictions, Survival, Scores, RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Random forest for right-censored responses, which are only known to exceed a bound.

    The response of a censored row is at least `y`. By default the forest imputes such responses iteratively
    from its own beliefs, truncated at the bounds, and preserves the uncertainty about them: Algorithm 1 of
    "Bayesian Optimization With Censored Response Data", with a model of the noise of single responses.
    `CensoredForest(**tightrope.forest.ALGORITHM_1)` is the paper's algorithm to the letter. If nothing is
    censored, this is an ordinary random forest.

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
    noise : bool, default=True
        Count the variance within leaves, besides the spread across trees, to the variance of a response: in
        the beliefs that values are imputed from, in quantiles and in likelihoods. The order of the quantiles
        then follows the trees only as far as the spread goes.
    start : {"marginal", "uncensored"}, default="marginal"
        What the first round imputes from: the normal distribution that fits all responses, or (the paper's
        rule) a forest of the uncensored rows.
    max_iter : int, default=3
        Maximum number of rounds of imputing and regrowing. Without `noise` the imputed values tend to creep
        upwards without end, so this is a parameter of the model and not only a limit on the effort.
    tol : float, default=0.01
        Stop when the mean change of the rows' imputed values, as a share of the range of y (on the model's
        scale), is at most this.
    oob : bool or "auto", default="auto"
        Impute a row only from the trees that hold no copy of it (out of bag). "auto": if there is a
        bootstrap.
    oob_score : bool, default=False
        Predict and score every row from the trees that hold no copy of it.
    max_features : float, int, {"auto", "sqrt", "log2"} or None, default="auto"
        Columns drawn at each node: a share (rounded up), a number, or all of them. "auto" chooses between 5/6
        and 1/3 by the likelihood of rows out of bag.
    max_depth : int, default=None
        Maximum number of splits between the root and a leaf.
    min_samples_split : int or float, default=2
        Minimum number of distinct rows, or share of all rows, of a node that may be split.
    min_samples_leaf : int, float or "auto", default="auto"
        Minimum number of distinct rows, or share of all rows, on each side of a split. "auto" chooses among
        1, 3, 5, 10, 20 and 40 by the likelihood of rows out of bag (1 without a bootstrap): the largest
        number that is not worse than the best one by more than a standard error.
    bootstrap : bool, default=True
        Grow each tree from rows drawn with replacement; otherwise from every row once.
    max_samples : int or float, default=None
        Rows drawn for each tree, or their share; None means as many as there are.
    min_variance : float or "auto", default="auto"
        Floor of the variance of beliefs, on the model's scale, in predictions and during imputation. "auto"
        chooses, by the likelihood of rows out of bag, a floor for beliefs about responses (0 without a
        bootstrap); beliefs about means then have none.
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
    min_samples_leaf_, max_features_ : int
        Rows of the smallest leaf allowed and columns drawn at each node, given or chosen.
    min_variance_ : float
        Floor of the variance of a response, given or chosen.
    event_times_ : ndarray
        Distinct observed responses, ascending.
    oob_prediction_ : ndarray of shape (n_samples,)
        If `oob_score`: prediction of each row by the trees that hold no copy of it; NaN for rows of weight 0.
    oob_score_ : float
        If `oob_score`: the `score` of these predictions.
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
        noise: bool = True,
        start: str = "marginal",
        max_iter: int = 3,
        tol: float = 0.01,
        oob: bool | str = "auto",
        oob_score: bool = False,
        max_features: float | int | str | None = "auto",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float | str = "auto",
        bootstrap: bool = True,
        max_samples: int | float | None = None,
        min_variance: float | str = "auto",
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
        self.noise = noise
        self.start = start
        self.max_iter = max_iter
        self.tol = tol
        self.oob = oob
        self.oob_score = oob_score
        self.max_features = max_features
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.bootstrap = bootstrap
        self.max_samples = max_samples
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
        y : array-like of shape (n_samples,) or (n_samples, 2), or a pair
            Responses; for censored rows, their bounds. A structured array with the fields event (bool) and
            time, as in scikit-survival, also marks the censored rows: those without event. Two columns, or a
            pair of arrays, are the lower and upper ends of what is known: equal where the response was
            observed, infinite where there is no bound. If `log`, an observed 0 counts as a response of at
            most the smallest positive number in y.
        censored : array-like of shape (n_samples,), default=None
            True (or 1) where the response is only known to be at least y, -1 where it is at most y.
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
        given = read_rules(parameters, unit=unit)
        imputed, rules, growth = grow_chosen(
            Training(training.X, training.responses, training.columns.categorical),
            rules=given,
            growth=read_growth(parameters, shape=training.X.shape),
            open_settings=read_open(parameters),
            rng=make_generator(self.random_state),
        )
        self._columns = training.columns
        self._scale = Scale(
            bool(self.log),
            unit=unit,
            min_variance=given.min_variance,
            min_response_variance=rules.min_variance,
            noise=rules.noise,
        )
        self.min_samples_leaf_, self.max_features_ = growth.min_samples_leaf, growth.drawn_columns
        self.min_variance_ = rules.min_variance * unit * unit
        self.censored_ = training.censored_rows
        self.forest_ = imputed.forest
        self.imputed_ = self._scale.to_response(imputed.means * self._scale.unit)
        self.imputed_samples_ = imputed.samples * self._scale.unit
        self.n_iter_, self.converged_ = imputed.n_iter, imputed.converged
        responses = training.responses
        self.event_times_ = np.unique(self._scale.to_response(responses.y[~responses.censored] * unit))
        if self.oob_score:
            predicted, self.oob_score_ = score_out_of_bag(
                imputed, training.X, responses, scale=self._scale, threads=growth.threads
            )
            self.oob_prediction_ = np.full(training.n_given, np.nan)
            self.oob_prediction_[training.rows] = predicted
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
