"""Properties of the process on any data: gradient of the evidence, bounds, units and order of rows."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tightrope.gp import CensoredProcess, Hyperparameters
from tightrope.gp.evidence import Observations, evaluate

Floats = NDArray[np.float64]

seeds = st.integers(0, 2**32 - 1)
lengths = st.floats(0.1, 5.0)
signals = st.floats(0.3, 3.0)
noises = st.floats(1e-3, 1.0)
heights = st.floats(-3.0, 5.0)


def draw(seed: int, *, n: int = 12) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    rng = np.random.default_rng(seed)
    X = rng.uniform(size=(n, 2))
    y = 2.0 * X[:, 0] + rng.normal(scale=0.5, size=n)
    return X, y, rng.uniform(size=n) < 0.5


def believe(
    X: Floats, y: Floats, censored: NDArray[np.bool_], *, at: Floats, hyperparameters: Hyperparameters
) -> tuple[Floats, Floats]:
    process = CensoredProcess(max_iter=0).fit(X, y, censored, start=hyperparameters)
    assert process.converged_
    return process.belief(at)


@given(
    seed=seeds, lengths=st.tuples(lengths, lengths), signal=signals, noise=noises, mean=st.floats(-1.0, 1.0)
)
def test_the_gradient_is_that_of_finite_differences(
    seed: int, lengths: tuple[float, float], signal: float, noise: float, mean: float
) -> None:
    X, y, censored = draw(seed)
    order = np.argsort(censored, kind="stable")
    n_observed = int((~censored).sum())
    observations = Observations(X[order], y[order[:n_observed]], y[order[n_observed:]])
    theta = np.array([*np.log(lengths), np.log(signal), np.log(noise), mean])

    def value_and_gradient(theta: Floats) -> tuple[float, Floats]:
        natural = np.exp(theta[:4])
        hyperparameters = Hyperparameters(natural[:2], natural[2], natural[3], float(theta[4]))
        process, gradient = evaluate(observations, hyperparameters)
        return process.log_evidence, gradient

    value, gradient = value_and_gradient(theta)
    step = 1e-4
    differences = [
        (value_and_gradient(theta + step * unit)[0] - value_and_gradient(theta - step * unit)[0]) / (2 * step)
        for unit in np.eye(5)
    ]
    # The third derivatives grow with the evidence, and with the sharpness of the residuals.
    np.testing.assert_allclose(gradient, differences, atol=1e-5 * (1 + abs(value)), rtol=1e-5)


@given(seed=seeds, length=lengths, noise=noises, bound=heights, rise=st.floats(0.01, 3.0))
def test_raising_a_bound_raises_the_belief_there(
    seed: int, length: float, noise: float, bound: float, rise: float
) -> None:
    X, y, censored = draw(seed)
    censored[0] = True
    hyperparameters = Hyperparameters(np.full(2, length), signal=1.0, noise=noise, mean=0.5)
    means = []
    for height in (bound, bound + rise):
        y[0] = height
        means.append(believe(X, y, censored, at=X[:1], hyperparameters=hyperparameters)[0][0])
    assert means[1] > means[0] - 1e-6


@given(seed=seeds, length=lengths, noise=noises, bound=heights)
def test_a_bound_never_lowers_the_belief_there(seed: int, length: float, noise: float, bound: float) -> None:
    X, y, censored = draw(seed)
    censored[0], y[0] = True, bound
    hyperparameters = Hyperparameters(np.full(2, length), signal=1.0, noise=noise, mean=0.5)
    with_it = believe(X, y, censored, at=X[:1], hyperparameters=hyperparameters)[0][0]
    without = believe(X[1:], y[1:], censored[1:], at=X[:1], hyperparameters=hyperparameters)[0][0]
    assert with_it > without - 1e-5


@given(seed=seeds, length=lengths, noise=noises)
def test_a_bound_far_below_the_belief_changes_nothing(seed: int, length: float, noise: float) -> None:
    X, y, censored = draw(seed)
    new = np.random.default_rng(0).uniform(size=(5, 2))
    hyperparameters = Hyperparameters(np.full(2, length), signal=1.0, noise=noise, mean=0.5)
    censored[0], y[0] = True, -30.0
    with_it = believe(X, y, censored, at=new, hyperparameters=hyperparameters)
    without = believe(X[1:], y[1:], censored[1:], at=new, hyperparameters=hyperparameters)
    np.testing.assert_allclose(with_it, without, atol=1e-5)


@given(seed=seeds, order=st.permutations(range(12)))
@settings(max_examples=25)
def test_the_order_of_rows_has_no_effect(seed: int, order: list[int]) -> None:
    X, y, censored = draw(seed)
    plain = CensoredProcess(random_state=0, max_iter=5).fit(X, y, censored)
    shuffled = CensoredProcess(random_state=0, max_iter=5).fit(X[order], y[order], censored[order])
    np.testing.assert_array_equal(shuffled.predict(X), plain.predict(X))


@given(
    seed=seeds,
    factor=st.floats(1e-6, 1e6),
    shift=st.floats(-100.0, 100.0),
    stretch=st.tuples(st.floats(1e-6, 1e6), st.floats(1e-6, 1e6)),
)
@settings(max_examples=25)
def test_units_do_not_matter(seed: int, factor: float, shift: float, stretch: tuple[float, float]) -> None:
    X, y, censored = draw(seed)
    there = np.array(stretch)
    plain = CensoredProcess(n_restarts=0, max_iter=3).fit(X, y, censored)
    other = CensoredProcess(n_restarts=0, max_iter=3).fit(X * there, factor * (y + shift), censored)
    mean, std = other.belief(X * there)
    np.testing.assert_allclose(mean / factor - shift, plain.belief(X)[0], atol=1e-4)
    np.testing.assert_allclose(std / factor, plain.belief(X)[1], rtol=1e-3)


@given(
    seed=seeds,
    copies=st.lists(st.tuples(st.integers(0, 5), st.booleans(), heights), min_size=1, max_size=12),
    noise=noises,
)
def test_points_may_recur_with_values_and_bounds(
    seed: int, copies: list[tuple[int, bool, float]], noise: float
) -> None:
    X, y, censored = draw(seed, n=6)
    rows = [row for row, _, _ in copies]
    X = np.vstack([X, X[rows]])
    y = np.append(y, [height for _, _, height in copies])
    censored = np.append(censored, [is_bound for _, is_bound, _ in copies])
    hyperparameters = Hyperparameters(np.ones(2), signal=1.0, noise=noise, mean=0.5)
    mean, std = believe(X, y, censored, at=X, hyperparameters=hyperparameters)
    assert np.isfinite(mean).all()
    assert (std > 0).all()


@given(
    seed=seeds,
    n=st.integers(1, 25),
    n_columns=st.integers(1, 4),
    closeness=st.floats(-16.0, 0.0),
    decades=st.floats(-14.0, 6.0),
    share=st.floats(0.0, 1.0),
)
@settings(max_examples=50)
def test_no_data_without_noise_break_a_fit(
    seed: int, n: int, n_columns: int, closeness: float, decades: float, share: float
) -> None:
    """Clusters of nearly equal points, and responses of any range, some of them bounds."""
    rng = np.random.default_rng(seed)
    centres = rng.uniform(size=(3, n_columns))
    X = centres[rng.integers(3, size=n)] + 10.0**closeness * rng.normal(size=(n, n_columns))
    logs = 10.0**decades * np.sin(3.0 * X.sum(axis=1))
    y = np.exp(np.clip(logs, -500.0, 500.0))
    first = CensoredProcess(log=True, random_state=0, max_iter=10).fit(X, y, rng.uniform(size=n) < share)
    again = CensoredProcess(log=True, n_restarts=0, max_iter=10)
    again.fit(X[n // 2 :], y[n // 2 :], start=first.hyperparameters_)
    assert np.isfinite(first.belief(X)).all()
    assert np.isfinite(again.belief(X)).all()
