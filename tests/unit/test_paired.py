"""Speed-ups with intervals: what is a bound stays one."""

from math import inf, isnan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tightrope.race.objective import Score
from tightrope.race.paired import Kind, compare_paired

CEILING = 10.0
costs = st.lists(st.floats(0.01, 30.0), min_size=2, max_size=12)


def known(*values: float) -> list[Score]:
    return [Score(value, exact=True) for value in values]


def stopped(*values: float) -> list[Score]:
    return [Score(value, exact=False) for value in values]


def test_speedup_is_the_ratio_of_the_sums() -> None:
    assert compare_paired(known(1, 3), known(2, 6), ceiling=CEILING).speedup == 2.0


def test_constant_ratio_leaves_no_doubt() -> None:
    found = compare_paired(known(1, 2, 3), known(2, 4, 6), ceiling=CEILING)
    assert (found.low, found.high) == (2.0, 2.0)


def test_one_instance_has_no_interval() -> None:
    found = compare_paired(known(1, 2), known(2, 9), ceiling=CEILING, instances=["a", "a"])
    assert isnan(found.low)
    assert isnan(found.high)
    assert found.n_instances == 1


def test_timeout_of_the_other_gives_a_lower_limit() -> None:
    found = compare_paired(known(1, 2), [*known(3), *stopped(10)], ceiling=CEILING)
    assert (found.kind, found.speedup, found.high) == (Kind.AT_LEAST, 13 / 3, inf)


def test_timeout_of_the_one_gives_an_upper_limit() -> None:
    found = compare_paired([*known(1), *stopped(10)], known(3, 5), ceiling=CEILING)
    assert (found.kind, found.low) == (Kind.AT_MOST, 0.0)


def test_timeouts_of_both_on_different_tasks_leave_it_open() -> None:
    found = compare_paired([*known(1), *stopped(10)], [*stopped(10), *known(5)], ceiling=CEILING)
    assert found.kind is Kind.OPEN
    assert isnan(found.speedup)
    assert not found.is_sure


def test_timeouts_of_both_on_the_same_task_tell_nothing() -> None:
    found = compare_paired([*known(1), *stopped(10)], [*known(2), *stopped(10)], ceiling=CEILING)
    assert (found.speedup, found.kind, found.n_instances, found.n_unsolved) == (2.0, Kind.EXACT, 1, 1)


def test_nothing_in_common_is_open() -> None:
    assert compare_paired([], [], ceiling=CEILING).kind is Kind.OPEN


def test_failure_counts_like_a_timeout() -> None:
    found = compare_paired(known(1, 1), known(3, inf), ceiling=CEILING)
    assert (found.kind, found.speedup) == (Kind.AT_LEAST, 6.5)


def test_run_stopped_below_the_ceiling_counts_as_its_bound() -> None:
    found = compare_paired(known(1), stopped(4), ceiling=CEILING)
    assert (found.kind, found.speedup) == (Kind.AT_LEAST, 4.0)


def test_instances_on_which_it_is_better_or_worse_are_counted() -> None:
    found = compare_paired(known(1, 5, 2, 3), known(2, 4, 2.05, 3), ceiling=CEILING, resolution=0.1)
    assert (found.n_better, found.n_worse) == (1, 1)


def test_bound_below_the_known_cost_decides_nothing() -> None:
    found = compare_paired(known(5), stopped(4), ceiling=CEILING)
    assert (found.n_better, found.n_worse) == (0, 0)


def test_two_that_cost_nothing_cost_the_same() -> None:
    assert compare_paired(known(0, 0), known(0, 0), ceiling=CEILING).speedup == 1.0


@settings(max_examples=30, deadline=None)
@given(costs, st.floats(1.1, 5.0))
def test_interval_holds_the_estimate_and_mirrors_when_the_two_are_exchanged(
    values: list[float], factor: float
) -> None:
    others = [value * factor if i % 2 else value for i, value in enumerate(values)]
    one, other = known(*values), known(*others)
    there = compare_paired(one, other, ceiling=1e6)
    back = compare_paired(other, one, ceiling=1e6)
    assert there.low <= there.speedup * (1 + 1e-9)
    assert there.speedup <= there.high * (1 + 1e-9)
    assert back.speedup == pytest.approx(1 / there.speedup)
    assert back.low == pytest.approx(1 / there.high, rel=0.1)
    assert (there.n_better, there.n_worse) == (back.n_worse, back.n_better)


def test_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    """Log-normal costs of 12 instances; plain percentiles cover about 89 % here. Fixed seed, 100 draws."""
    rng = np.random.default_rng(3)
    covered = 0
    for _ in range(100):
        one = rng.lognormal(0.0, 0.7, 12)
        other = one * rng.lognormal(0.5, 0.5, 12)
        found = compare_paired(known(*one), known(*other), ceiling=1e9)
        covered += found.low <= np.exp(0.5 + 0.125) <= found.high
    assert 0.88 <= covered / 100 <= 0.99
