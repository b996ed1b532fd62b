"""CensoredProcess: a Gaussian process for right-censored responses, as a scikit-learn regressor."""

import warnings
from dataclasses import replace
from numbers import Integral
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from tightrope.gp.checks import check_inputs, check_parameters, check_start, read_responses
from tightrope.gp.evidence import Observations
from tightrope.gp.hyperparameters import SMALLEST_NOISE, Hyperparameters, coordinates, raise_noise
from tightrope.gp.scaling import Scaling, measure_scaling
from tightrope.gp.search import FitResult, SearchOptions, find_hyperparameters
from tightrope.gp.threads import one_thread

Floats = NDArray[np.float64]

_NOT_CONVERGED = (
    "expectation propagation did not converge: the belief is a poor approximation. This happens where "
    "bounds lie far more than 10,000 standard deviations above the belief: check the units of y and of start"
)


class CensoredProcess(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Gaussian process for right-censored responses, which are only known to exceed a bound.

    The prior of f has a constant mean and a Matern 5/2 kernel with a length-scale for each column. Responses
    differ from f by normal noise. A known response has a normal likelihood, which is treated exactly. A
    right-censored response has the likelihood Phi((f - bound) / noise) (Tobit), which is approximated by
    expectation propagation. If nothing is censored, this is an ordinary Gaussian process.

    Parameters
    ----------
    log : bool, default=False
        Model log(y) instead of y. y must then be positive. Recommended for runtimes and other costs that vary
        by orders of magnitude.
    noise : float, default=None
        Standard deviation of the responses about f, on the model's scale. None: it is fitted.
        In both cases it is at least 1e-4 times the spread of the responses and 5e-6 times the signal.
    max_iter : int, default=50
        Maximum number of iterations of the search for hyperparameters. With 0 there is no search: `start` is
        used unchanged.
    n_restarts : int, default=1
        Random starts of the search, in addition to the fixed one.
    random_state : int, RandomState instance or None, default=None
        Seed of the random starts.

    Attributes
    ----------
    hyperparameters_ : Hyperparameters
        lengths (one for each column), signal, noise and mean, in the units of X and of the model's scale.
    log_evidence_ : float
        Log marginal likelihood of the responses, on the model's scale, given the hyperparameters.
    n_iter_ : int
        Iterations of the search, summed over all starts.
    converged_ : bool
        Whether expectation propagation converged; if not, `fit` issues a ConvergenceWarning.
    n_features_in_ : int
        Number of columns.

    Notes
    -----
    The model's scale is logarithmic if `log`, and the scale of y otherwise. The hyperparameters maximise
    their posterior density, under lognormal priors relative to the range of each column and the spread of the
    responses. With few points the prior dominates. If all responses are censored, the data do not tell how
    far above their bounds they lie; the priors then keep the belief within a few times the spread of the
    bounds. The time grows with the cube of the number of rows. Up to about 1000 rows a fit takes seconds.

    Examples
    --------
    >>> import numpy as np
    >>> from tightrope.gp import CensoredProcess
    >>> X = np.linspace(0, 1, 20)[:, np.newaxis]
    >>> runtime = np.exp(3 * X[:, 0])
    >>> censored = runtime > 8.0
    >>> y = np.minimum(runtime, 8.0)
    >>> process = CensoredProcess(log=True, random_state=0).fit(X, y, censored)
    >>> bool(process.predict([[0.9]])[0] > 8.0)
    True
    """

    def __init__(
        self,
        *,
        log: bool = False,
        noise: float | None = None,
        max_iter: int = 50,
        n_restarts: int = 1,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.log = log
        self.noise = noise
        self.max_iter = max_iter
        self.n_restarts = n_restarts
        self.random_state = random_state

    def fit(
        self,
        X: Any,
        y: Any,
        censored: ArrayLike | None = None,
        *,
        start: Hyperparameters | None = None,
    ) -> Self:
        """Find the hyperparameters and condition the process on the responses.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Finite numbers, on any scale.
        y : array-like of shape (n_samples,)
            Responses; for censored rows, their lower bounds.
        censored : array-like of shape (n_samples,), default=None
            True where the response is only known to be at least y.
        start : Hyperparameters, default=None
            Where the search begins: `hyperparameters_` of an earlier fit to similar data.

        Returns
        -------
        CensoredProcess
            The fitted estimator.
        """
        check_parameters(vars(self))
        numbers = self._as_numbers(X, reset=True)
        responses, is_bound = read_responses(y, censored, n_rows=len(numbers), log=self.log)
        start = check_start(start, n_columns=numbers.shape[1])
        # Sorted, values before bounds, so that the order of the rows has no effect at all.
        order = np.lexsort((*numbers.T, responses, is_bound))
        numbers, responses = numbers[order], responses[order]
        n_observed = int(np.count_nonzero(~is_bound))
        largest = 1.0 if self.log else float(np.abs(responses).max()) or 1.0
        scaling = measure_scaling(numbers, responses, constant_spread=largest)
        noise = None if self.noise is None else max(self.noise / scaling.spread, SMALLEST_NOISE)
        values, bounds = np.split(scaling.responses(responses), [n_observed])
        with one_thread(len(numbers)):
            inner_start = _read_start(start, scaling, noise=noise)
            result = find_hyperparameters(
                Observations(scaling.inputs(numbers), values, bounds),
                coordinates(numbers.shape[1], noise=noise),
                options=SearchOptions(int(self.max_iter), int(self.n_restarts), inner_start),
                rng=_make_generator(self.random_state),
            )
        self._store(result, scaling, n_observed=n_observed)
        return self

    def predict(self, X: Any, *, return_std: bool = False) -> Floats | tuple[Floats, Floats]:
        """Predict responses.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.
        return_std : bool, default=False
            Also return the standard deviation of the belief. Not available with `log`: use `belief`.

        Returns
        -------
        ndarray of shape (n_samples,), or a tuple of two
            Mean of the belief. If `log`, its exponential: the median of a lognormal belief.
        """
        if return_std and self.log:
            raise ValueError("return_std=True is not defined on the scale of y when log=True: use belief(X)")
        if return_std:
            return self.belief(X)
        check_is_fitted(self, "hyperparameters_")
        inputs = self._scaling.inputs(self._as_numbers(X, reset=False))
        with one_thread(len(self._process.X)):
            mean = self._process.mean(inputs)
        mean = self._scaling.centre + self._scaling.spread * mean
        return np.exp(mean) if self.log else mean

    def belief(self, X: Any) -> tuple[Floats, Floats]:
        """Return mean and standard deviation of f, without noise, on the model's scale.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        mean, std : ndarrays of shape (n_samples,)
            Of the normal belief about each row.
        """
        check_is_fitted(self, "hyperparameters_")
        inputs = self._scaling.inputs(self._as_numbers(X, reset=False))
        with one_thread(len(self._process.X)):
            mean, std = self._process.belief(inputs)
        return self._scaling.centre + self._scaling.spread * mean, self._scaling.spread * std

    def _store(self, result: FitResult, scaling: Scaling, *, n_observed: int) -> None:
        process = result.process
        self._process, self._scaling = process, scaling
        self.n_iter_ = result.n_iter
        self.hyperparameters_ = scaling.to_user(process.hyperparameters)
        self.log_evidence_ = process.log_evidence - n_observed * float(np.log(scaling.spread))
        self.converged_ = process.approximation is None or process.approximation.converged
        if not self.converged_:
            warnings.warn(_NOT_CONVERGED, ConvergenceWarning, stacklevel=3)

    def _as_numbers(self, X: Any, *, reset: bool) -> Floats:
        numbers = validate_data(self, X, reset=reset, dtype=np.float64, ensure_all_finite=False)
        check_inputs(numbers)
        return np.asarray(numbers)


def _read_start(
    start: Hyperparameters | None, scaling: Scaling, *, noise: float | None
) -> Hyperparameters | None:
    """Convert to units of the process; a fixed noise takes precedence, and too small a noise is raised."""
    if start is None:
        return None
    inner = scaling.from_user(start)
    return replace(inner, noise=raise_noise(inner.noise if noise is None else noise, signal=inner.signal))


def _make_generator(random_state: int | np.random.RandomState | None) -> np.random.Generator:
    """Make a generator from any value that scikit-learn accepts as `random_state`."""
    if isinstance(random_state, Integral) and random_state >= 0:
        return np.random.default_rng(int(random_state))
    return np.random.default_rng(check_random_state(random_state).randint(2**31, size=4, dtype=np.int64))
