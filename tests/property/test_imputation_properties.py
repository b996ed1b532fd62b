import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tightrope.forest.bootstrap import assign_quantiles
from tightrope.forest.imputation import Rules, impute

N_TREES = 100

means = st.floats(-50, 50)
spreads = st.one_of(st.just(0.0), st.floats(1e-3, 20))
bounds = st.floats(-50, 50)
rules = st.builds(
    Rules, treatment=st.sampled_from(["sample", "mean"]), positions=st.sampled_from(["paper", "midpoint"])
)


@given(mu=means, s=spreads, bound=bounds, rise=st.floats(0, 50), rules=rules, n_trees=st.integers(1, 60))
def test_for_a_fixed_belief_raising_a_bound_never_lowers_the_imputed_mean(
    mu: float, s: float, bound: float, rise: float, rules: Rules, n_trees: int
) -> None:
    copies = assign_quantiles(np.ones((n_trees, 2), dtype=np.uint16), positions=rules.positions)
    pair = np.array([bound, bound + rise])
    imputed, _ = impute(copies, pair, mu=np.full(2, mu), s=np.full(2, s), ceiling=np.inf, rules=rules)
    assert imputed[1] >= imputed[0] - 1e-12 * (1 + abs(imputed[0]))


@given(mu=means, s=spreads, bound=bounds, rules=rules, n_trees=st.integers(1, 60))
def test_without_a_ceiling_no_imputed_value_lies_below_its_bound(
    mu: float, s: float, bound: float, rules: Rules, n_trees: int
) -> None:
    copies = assign_quantiles(np.ones((n_trees, 1), dtype=np.uint16), positions=rules.positions)
    _, values = impute(
        copies, np.array([bound]), mu=np.array([mu]), s=np.array([s]), ceiling=np.inf, rules=rules
    )
    assert (values >= bound).all()


@given(
    mu=means,
    s=spreads,
    bound=bounds,
    room=st.floats(0, 10),
    rules=rules,
    ceiling_rule=st.sampled_from(["shift", "shrink"]),
)
def test_no_imputed_mean_lies_above_the_ceiling(
    mu: float, s: float, bound: float, room: float, rules: Rules, ceiling_rule: str
) -> None:
    copies = assign_quantiles(np.ones((30, 1), dtype=np.uint16), positions=rules.positions)
    ceiling = bound + room
    rules = Rules(treatment=rules.treatment, positions=rules.positions, ceiling_rule=ceiling_rule)
    imputed, _ = impute(
        copies, np.array([bound]), mu=np.array([mu]), s=np.array([s]), ceiling=ceiling, rules=rules
    )
    assert imputed[0] <= ceiling + 1e-12 * (1 + abs(ceiling))


def spread_of_tree_means(n_points: int, order: np.random.Generator | None) -> float:
    """Give n points the same belief and bound; measure, over the trees, the deviation of their mean."""
    copies = assign_quantiles(np.ones((N_TREES, n_points), dtype=np.uint16), positions="paper", order=order)
    bound, mu, s = np.zeros(n_points), np.full(n_points, 1.0), np.full(n_points, 2.0)
    _, values = impute(copies, bound, mu=mu, s=s, ceiling=np.inf, rules=Rules())
    samples = copies.mean_by_cell(values, otherwise=bound, n_trees=N_TREES)
    return float(samples.mean(axis=1).std())


@given(n_points=st.integers(2, 100))
def test_in_tree_order_a_mean_of_many_imputed_values_keeps_its_spread(n_points: int) -> None:
    assert np.isclose(spread_of_tree_means(n_points, None), spread_of_tree_means(1, None), rtol=1e-9)


@given(n_points=st.integers(2, 100), seed=st.integers(0, 2**32 - 1))
def test_in_random_order_a_mean_of_n_imputed_values_loses_the_square_root_of_n(
    n_points: int, seed: int
) -> None:
    shrunk = spread_of_tree_means(n_points, np.random.default_rng(seed))
    expected = spread_of_tree_means(1, None) / np.sqrt(n_points)
    # A standard deviation estimated from 100 trees has a relative standard error of 1/sqrt(200) = 7 %; six of
    # them.
    assert 0.58 * expected < shrunk < 1.42 * expected
