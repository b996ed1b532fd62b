import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.metrics import r2_score

from tightrope import CensoredForest
from tightrope.forest.concordance import concordance

Floats = NDArray[np.float64]


def concordance_by_pairs(
    y: Floats, prediction: Floats, censored: NDArray[np.bool_], weights: Floats
) -> float:
    """Compute the concordance from all pairs."""
    comparable = concordant = 0.0
    for i in range(len(y)):
        for j in range(len(y)):
            if not censored[i] and (y[i] < y[j] or (y[i] == y[j] and censored[j])):
                weight = weights[i] * weights[j]
                comparable += weight
                concordant += weight * (prediction[i] < prediction[j])
                concordant += weight * (prediction[i] == prediction[j]) / 2
    return concordant / comparable


@pytest.mark.parametrize("n", [2, 3, 7, 8, 9, 60])
def test_concordance_is_the_share_of_comparable_pairs_in_order(n: int) -> None:
    rng = np.random.default_rng(n)
    y, prediction = rng.integers(max(3, n // 3), size=n) * 1.0, rng.integers(max(2, n // 4), size=n) * 1.0
    y[0], y[-1] = -1.0, 100.0
    censored = rng.random(n) < 0.5
    censored[0] = False
    weights = rng.uniform(0.1, 3.0, size=n)
    expected = concordance_by_pairs(y, prediction, censored, weights)
    assert concordance(y, prediction, censored=censored, weights=weights) == pytest.approx(
        expected, rel=1e-12
    )
    expected = concordance_by_pairs(y, prediction, censored, np.ones(n))
    assert concordance(y, prediction, censored=censored) == pytest.approx(expected, rel=1e-12)


def test_the_larger_prediction_belongs_to_the_larger_response() -> None:
    y = np.array([1.0, 2.0, 3.0])
    censored = np.array([False, False, True])
    assert concordance(y, y, censored=censored) == 1.0
    assert concordance(y, -y, censored=censored) == 0.0


def test_equal_predictions_are_half_right() -> None:
    assert concordance(np.array([1.0, 2.0]), np.zeros(2), censored=np.array([False, True])) == 0.5


def test_a_pair_whose_smaller_response_is_a_bound_is_not_compared() -> None:
    y, prediction = np.array([1.0, 2.0, 3.0]), np.array([9.0, 1.0, 2.0])
    assert concordance(y, prediction, censored=np.array([True, False, True])) == 1.0


def test_concordance_without_comparable_pairs_is_an_error() -> None:
    with pytest.raises(ValueError, match="no two comparable rows"):
        concordance(np.array([1.0, 2.0]), np.zeros(2), censored=np.array([True, True]))


def test_the_score_is_r2_when_nothing_is_censored() -> None:
    X = np.random.default_rng(0).uniform(size=(50, 2))
    y = X[:, 0]
    forest = CensoredForest(10, random_state=0).fit(X, y)
    weights = np.arange(1.0, 51.0)
    assert forest.score(X, y) == r2_score(y, forest.predict(X))
    assert forest.score(X, y, np.zeros(50, dtype=bool)) == r2_score(y, forest.predict(X))
    assert forest.score(X, y, sample_weight=weights) == r2_score(y, forest.predict(X), sample_weight=weights)


def test_the_score_is_concordance_when_something_is_censored() -> None:
    X = np.random.default_rng(0).uniform(size=(50, 2))
    y = np.minimum(X[:, 0], 0.7)
    censored = X[:, 0] > 0.7
    forest = CensoredForest(10, random_state=0).fit(X, y, censored)
    weights = np.arange(1.0, 51.0)
    expected = concordance(y, forest.predict(X), censored=censored, weights=weights)
    assert forest.score(X, y, censored, sample_weight=weights) == expected
    assert expected > 0.9
