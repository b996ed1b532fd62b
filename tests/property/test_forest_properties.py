"""Properties of every forest: invariances, exactness, order."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.base import clone

from tightrope import CensoredForest
from tightrope.forest import ALGORITHM_1

Floats = NDArray[np.float64]

CATEGORICAL = [3, 4]
IMPUTING = ["sample", "mean"]
TREATMENTS = [*IMPUTING, "drop", "ignore"]

sizes = st.sampled_from([1, 2, 3, 12, 60, 300])  # below and above 256, where the kernel changes its ways
seeds = st.integers(0, 2**20)
treatments = st.sampled_from(TREATMENTS)


@dataclass(frozen=True)
class Sample:
    """Rows with two continuous columns, a whole-numbered one and two of levels; NaN in every kind."""

    X: Floats
    y: Floats
    censored: NDArray[np.bool_]

    def fit(self, **parameters: Any) -> CensoredForest:
        forest = CensoredForest(
            **{**ALGORITHM_1, "n_estimators": 8, "random_state": 0, "max_iter": 3, **parameters}
        )
        return forest.fit(self.X, self.y, self.censored, categorical=CATEGORICAL)

    def rows(self, order: NDArray[np.intp]) -> "Sample":
        return Sample(self.X[order], self.y[order], self.censored[order])


def draw_sample(seed: int, n: int, *, share_censored: float = 0.4) -> Sample:
    rng = np.random.default_rng([seed, n])
    columns = [rng.random(n), rng.normal(size=n), rng.integers(0, 6, n), rng.integers(0, 4, n)]
    X = np.column_stack([*columns, rng.integers(-50, 50, n)]).astype(np.float64)
    y = 3 * X[:, 0] + X[:, 3] % 2 + rng.normal(scale=0.3, size=n)
    X[rng.random(X.shape) < 0.05] = np.nan
    return Sample(X, y, rng.random(n) < share_censored)


samples = st.builds(draw_sample, seeds, sizes)


@settings(max_examples=20)
@given(sample=samples, treatment=treatments, oob=st.booleans(), joint=st.booleans())
def test_one_two_and_four_threads_give_the_same_bits(
    sample: Sample, treatment: str, oob: bool, joint: bool
) -> None:
    one, two, four = (sample.fit(treatment=treatment, oob=oob, joint=joint, n_jobs=n) for n in (1, 2, 4))
    for other in (two, four):
        assert other.predict_trees(sample.X).tobytes() == one.predict_trees(sample.X).tobytes()
        assert np.array(other.belief(sample.X)).tobytes() == np.array(one.belief(sample.X)).tobytes()
        assert other.imputed_samples_.tobytes() == one.imputed_samples_.tobytes()


@settings(max_examples=30)
@given(seed=seeds, n=sizes, oob=st.booleans(), log=st.booleans())
def test_with_nothing_censored_all_treatments_give_the_same_bits(
    seed: int, n: int, oob: bool, log: bool
) -> None:
    sample = draw_sample(seed, n, share_censored=0.0)
    sample = replace(sample, y=np.exp(sample.y))
    first, *others = (sample.fit(treatment=treatment, oob=oob, log=log) for treatment in TREATMENTS)
    for other in others:
        assert other.predict_trees(sample.X).tobytes() == first.predict_trees(sample.X).tobytes()


@settings(max_examples=30)
@given(sample=samples, treatment=treatments, power=st.integers(-300, 300))
def test_scaling_y_by_a_power_of_two_scales_predictions_exactly(
    sample: Sample, treatment: str, power: int
) -> None:
    plain = sample.fit(treatment=treatment)
    scaled = replace(sample, y=np.ldexp(sample.y, power)).fit(treatment=treatment)
    np.testing.assert_array_equal(
        scaled.predict_trees(sample.X), np.ldexp(plain.predict_trees(sample.X), power)
    )
    np.testing.assert_array_equal(scaled.imputed_, np.ldexp(plain.imputed_, power))
    assert scaled.n_iter_ == plain.n_iter_


@settings(max_examples=20)
@given(sample=samples, treatment=treatments, offset=st.sampled_from([-7.0, 1e3, 1e6]))
def test_a_constant_added_to_y_is_added_to_predictions(sample: Sample, treatment: str, offset: float) -> None:
    plain = sample.fit(treatment=treatment)
    moved = replace(sample, y=sample.y + offset).fit(treatment=treatment)
    np.testing.assert_allclose(
        moved.predict(sample.X) - offset, plain.predict(sample.X), atol=1e-12 * abs(offset) + 1e-9
    )


@settings(max_examples=20)
@given(sample=samples, treatment=treatments, seed=seeds)
def test_without_bootstrap_the_order_of_the_rows_does_not_matter(
    sample: Sample, treatment: str, seed: int
) -> None:
    order = np.random.default_rng(seed).permutation(len(sample.y))
    plain, shuffled = (s.fit(treatment=treatment, bootstrap=False) for s in (sample, sample.rows(order)))
    np.testing.assert_allclose(shuffled.predict(sample.X), plain.predict(sample.X), atol=1e-9)
    np.testing.assert_array_equal(np.sort(order[shuffled.censored_]), plain.censored_)


@settings(max_examples=20)
@given(sample=samples, seed=seeds)
def test_the_names_of_levels_do_not_matter(sample: Sample, seed: int) -> None:
    renamed = sample.X.copy()
    rng = np.random.default_rng(seed)
    for column in CATEGORICAL:
        levels = np.unique(sample.X[:, column])
        known = ~np.isnan(sample.X[:, column])
        names = rng.permutation(levels.size) * 1e15 - 1e17
        renamed[known, column] = names[np.searchsorted(levels, sample.X[known, column])]
    # With bounds as values every row is a training row: at no node is its level an absent one.
    plain, other = (
        replace(sample, X=X).fit(treatment="ignore", bootstrap=False) for X in (sample.X, renamed)
    )
    np.testing.assert_array_equal(other.predict_trees(renamed), plain.predict_trees(sample.X))


@settings(max_examples=20)
@given(sample=samples)
def test_only_the_order_of_numbers_matters_to_training_rows(sample: Sample) -> None:
    bent = sample.X.copy()
    bent[:, :3] = np.exp(3 * bent[:, :3])
    plain, other = (replace(sample, X=X).fit(treatment="ignore", bootstrap=False) for X in (sample.X, bent))
    np.testing.assert_array_equal(other.predict_trees(bent), plain.predict_trees(sample.X))


@settings(max_examples=20)
@given(sample=samples, treatment=treatments)
def test_a_missing_value_is_like_a_value_below_all_others(sample: Sample, treatment: str) -> None:
    filled = np.where(np.isnan(sample.X), -1e6, sample.X)
    plain = sample.fit(treatment=treatment)
    other = replace(sample, X=filled).fit(treatment=treatment)
    np.testing.assert_array_equal(other.predict_trees(filled), plain.predict_trees(sample.X))


# Huge offsets, heavy tails, both signs, denormal numbers, the whole range of float64.
TARGETS: dict[str, Any] = {
    "a small signal on a huge offset": lambda rng, n: 1e9 + rng.random(n),
    "twelve orders of magnitude": lambda rng, n: 10.0 ** rng.uniform(-6, 6, n),
    "one outlier": lambda rng, n: np.append(rng.random(n - 1), 1e18),
    "powers of two": lambda rng, n: 2.0 ** rng.integers(-1000, 1000, n),
    "both ends": lambda rng, n: rng.choice([-1e150, -1e-150, 1e-150, 1e150], n) * rng.random(n),
    "denormal numbers": lambda rng, n: rng.integers(0, 9, n) * 5e-324,
}


@settings(max_examples=8)
@given(seed=seeds, n=st.sampled_from([1, 2, 40, 400]))
@pytest.mark.parametrize("kind", TARGETS)
def test_full_grown_trees_without_bootstrap_know_their_training_rows_exactly(
    kind: str, seed: int, n: int
) -> None:
    rng = np.random.default_rng([seed, n])
    X, y = rng.permutation(n)[:, np.newaxis].astype(np.float64), TARGETS[kind](rng, n)
    forest = CensoredForest(3, **ALGORITHM_1, bootstrap=False, random_state=seed).fit(
        np.hstack([X, -X % 7]), y
    )
    np.testing.assert_array_equal(forest.predict(np.hstack([X, -X % 7])), y)


@settings(max_examples=20)
@given(sample=samples, seed=seeds)
def test_uncensored_predictions_stay_within_the_range_of_y(sample: Sample, seed: int) -> None:
    forest = replace(sample, censored=np.zeros_like(sample.censored)).fit(min_samples_leaf=2)
    rng = np.random.default_rng(seed)
    strange = rng.choice([np.nan, -1e300, 1e300, -3.0, 7.0, 2.0**32, 1e15], size=(20, 5))
    trees = forest.predict_trees(strange)
    slack = 1e-12 * np.abs(sample.y).max()
    assert trees.min() >= sample.y.min() - slack
    assert trees.max() <= sample.y.max() + slack


@settings(max_examples=20)
@given(sample=samples, treatment=treatments, seed=seeds)
def test_a_row_of_weight_k_is_k_equal_rows_to_trees_without_bootstrap(
    sample: Sample, treatment: str, seed: int
) -> None:
    times = np.random.default_rng(seed).integers(1, 4, sample.y.size)
    repeated = sample.rows(np.repeat(np.arange(sample.y.size), times)).fit(
        treatment=treatment, bootstrap=False, tol=0.0
    )
    weighted = clone(repeated).fit(
        sample.X, sample.y, sample.censored, categorical=CATEGORICAL, sample_weight=times
    )
    np.testing.assert_allclose(weighted.predict(sample.X), repeated.predict(sample.X), atol=1e-9)


@pytest.mark.parametrize("treatment", [*IMPUTING, "ignore"])
def test_raising_bounds_raises_predictions_on_average(treatment: str) -> None:
    rises = []
    for seed in range(12):
        sample = draw_sample(seed, 120)
        raised = replace(sample, y=sample.y + sample.censored)
        high, low = (s.fit(treatment=treatment, n_estimators=30) for s in (raised, sample))
        rises.append(float(np.mean(high.predict(sample.X) - low.predict(sample.X))))
    # 40 % of the rows rise by 1; imputed values rise by less where they were far above their bounds already.
    assert min(rises) > 0.0
    assert 0.1 < np.mean(rises) < 0.6


def test_a_forest_that_is_refitted_is_the_forest_of_the_last_fit() -> None:
    first, second = draw_sample(1, 60), draw_sample(2, 60)
    forest = first.fit()
    forest.fit(second.X[:, :2], second.y)
    fresh = CensoredForest(8, random_state=0, **{**ALGORITHM_1, "max_iter": 3}).fit(second.X[:, :2], second.y)
    assert forest.predict(second.X[:, :2]).tobytes() == fresh.predict(second.X[:, :2]).tobytes()
    assert forest.censored_.size == 0
    assert forest.n_features_in_ == 2


@pytest.mark.parametrize("power", [-1000, 1020])
def test_only_ratios_of_weights_matter(power: int) -> None:
    sample = draw_sample(0, 300)
    weights = 1.0 + np.random.default_rng(0).random(300)
    plain, scaled = (
        CensoredForest(8, random_state=0, **ALGORITHM_1).fit(
            sample.X, sample.y, sample.censored, sample_weight=w
        )
        for w in (weights, np.ldexp(weights, power - 1))
    )
    np.testing.assert_array_equal(scaled.predict_trees(sample.X), plain.predict_trees(sample.X))


@pytest.mark.parametrize("power", [-900, 700])
def test_importances_and_imputed_values_do_not_depend_on_the_unit_of_y(power: int) -> None:
    sample = draw_sample(0, 300)
    plain, scaled = sample.fit(), replace(sample, y=np.ldexp(sample.y, power)).fit()
    np.testing.assert_array_equal(scaled.imputed_, np.ldexp(plain.imputed_, power))
    np.testing.assert_allclose(scaled.feature_importances_, plain.feature_importances_)


def grow_one(X: Floats, y: Floats) -> CensoredForest:
    return CensoredForest(1, bootstrap=False, max_features=None, random_state=0).fit(X, y)


def test_small_costs_are_told_apart_beside_costs_twelve_orders_larger() -> None:
    X = np.random.default_rng(0).uniform(size=(20_000, 4))
    forest = grow_one(X, 10 ** (12 * X[:, 0] - 6))
    new = np.random.default_rng(1).uniform(size=(2000, 4)) * [0.15, 1.0, 1.0, 1.0]
    errors = np.abs(np.log10(forest.predict(new)) - (12 * new[:, 0] - 6))
    assert np.median(errors) < 0.02  # 12 / 20,000 = 0.0006 from one row to the next


def test_one_absurd_value_does_not_spoil_the_rest_of_the_tree() -> None:
    X, new = np.random.default_rng(0).uniform(size=(2, 2000, 3))
    forest = grow_one(X, np.where(np.arange(2000) == 7, 1e15, 3 * X[:, 0] + X[:, 1]))
    # Without the one value the median is 0.03.
    assert np.median(np.abs(forest.predict(new) - 3 * new[:, 0] - new[:, 1])) < 0.06
