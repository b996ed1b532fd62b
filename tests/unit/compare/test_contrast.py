"""What a config costs, and how many times less than another, with intervals."""

from math import exp, inf, log, sqrt

import numpy as np
import pytest
from scipy import stats

from tightrope.compare.contrast import Claim, Contrast, contrast, estimate
from tightrope.race.objective import Objective, Score
from tightrope.records import Task

OBJECTIVE = Objective(ceiling=100.0, par=10.0)
TIMEOUT = Score(100.0, exact=False)
FAILURE = Score(inf, exact=True)


def scores_of(*costs: float | Score) -> dict[Task, Score]:
    """Return scores on as many tasks; a number is the cost of a run that finished."""
    scores = (cost if isinstance(cost, Score) else Score(cost, exact=True) for cost in costs)
    return {Task(f"i{number}"): score for number, score in enumerate(scores)}


def test_a_ratio_is_that_of_the_means() -> None:
    found = contrast(scores_of(1.0, 3.0, 2.0), scores_of(4.0, 12.0, 8.0), OBJECTIVE)
    assert (found.claim, found.n_tasks, found.ratio) == (Claim.RATIO, 3, 4.0)
    assert found.interval == pytest.approx((4.0, 4.0))


def test_only_tasks_in_common_count() -> None:
    found = contrast(scores_of(1.0, 3.0, 90.0), scores_of(4.0, 12.0), OBJECTIVE)
    assert (found.n_tasks, found.ratio) == (2, 4.0)


def test_too_few_tasks_have_no_interval() -> None:
    assert contrast(scores_of(1.0, 2.0), scores_of(4.0, 3.0), OBJECTIVE).interval is None
    assert estimate(scores_of(1.0, 2.0), OBJECTIVE).interval is None


def test_the_interval_of_a_mean_is_a_t_interval_on_the_logarithm() -> None:
    costs = [1.0, 2.0, 4.0, 3.0]
    found = estimate(scores_of(*costs), OBJECTIVE)
    without_one = [log((10.0 - cost) / 3.0) for cost in costs]
    s = sqrt(3.0 * float(np.var(without_one)))
    reach = stats.t(3).ppf(0.975) * s
    assert found.mean == 2.5
    assert found.interval == pytest.approx((exp(log(2.5) - reach), exp(log(2.5) + reach)))


def test_a_default_run_that_was_stopped_makes_the_ratio_a_lower_bound() -> None:
    found = contrast(scores_of(1.0, 2.0, 3.0), scores_of(4.0, 9.0, Score(11.0, exact=False)), OBJECTIVE)
    assert (found.claim, found.ratio, found.n_cut) == (Claim.AT_LEAST, 4.0, 1)
    assert found.interval is not None
    assert found.interval[0] < 4.0
    assert found.interval[1] == inf


def test_the_ceiling_is_a_bound_too_and_the_penalty_is_no_time() -> None:
    found = contrast(scores_of(1.0, 4.0), scores_of(100.0, TIMEOUT), OBJECTIVE)
    assert (found.claim, found.ratio) == (Claim.AT_LEAST, 40.0)
    assert not found.is_score


def test_a_bound_below_the_other_cost_says_nothing() -> None:
    found = contrast(scores_of(5.0), scores_of(Score(4.0, exact=False)), OBJECTIVE)
    assert found.claim is Claim.OPEN


def test_timeouts_of_the_one_are_compared_as_scores() -> None:
    found = contrast(scores_of(1.0, TIMEOUT), scores_of(TIMEOUT, TIMEOUT), OBJECTIVE)
    assert (found.claim, found.is_score) == (Claim.RATIO, True)
    assert found.ratio == pytest.approx(2000.0 / 1001.0)


def test_failures_of_the_other_are_compared_as_scores() -> None:
    found = contrast(scores_of(1.0, 1.0), scores_of(FAILURE, 1.0), OBJECTIVE)
    assert (found.claim, found.is_score) == (Claim.RATIO, True)
    assert found.ratio == pytest.approx(1001.0 / 2.0)


def test_an_unsettled_run_of_the_one_leaves_it_open() -> None:
    found = contrast(scores_of(1.0, Score(2.0, exact=False)), scores_of(5.0, 5.0), OBJECTIVE)
    assert found.claim is Claim.OPEN


def test_nothing_in_common_leaves_it_open() -> None:
    assert contrast(scores_of(1.0), {}, OBJECTIVE).claim is Claim.OPEN


def test_a_config_is_the_same_as_itself() -> None:
    assert contrast(scores_of(1.0), scores_of(1.0), OBJECTIVE, is_same=True).claim is Claim.SAME


def test_costs_of_nothing_have_no_ratio() -> None:
    assert contrast(scores_of(0.0), scores_of(1.0), OBJECTIVE).claim is Claim.OPEN


def test_what_is_worse_has_a_ratio_below_one() -> None:
    assert contrast(scores_of(2.0), scores_of(1.0), OBJECTIVE).ratio == 0.5


def test_an_estimate_counts_what_was_not_solved() -> None:
    found = estimate(scores_of(1.0, TIMEOUT, FAILURE, Score(3.0, exact=False)), OBJECTIVE)
    assert (found.mean, found.n_unsolved, found.is_bound) == (501.0, 2, True)


def test_nothing_is_known_of_a_config_without_runs() -> None:
    found = estimate({}, OBJECTIVE)
    assert (found.mean, found.n_tasks, found.is_bound) == (inf, 0, True)


def test_more_seeds_of_the_same_instances_are_not_more_instances() -> None:
    costs = [1.0, 2.0, 4.0, 3.0, 7.0, 5.0]
    once = {Task(f"i{i}"): Score(cost, exact=True) for i, cost in enumerate(costs)}
    often = {
        Task(f"i{i}", seed): Score(cost, exact=True) for seed in range(9) for i, cost in enumerate(costs)
    }
    assert estimate(often, OBJECTIVE).interval == pytest.approx(estimate(once, OBJECTIVE).interval)


def test_seeds_count_where_there_is_one_instance() -> None:
    scores = {Task("only", seed): Score(1.0 + seed % 3, exact=True) for seed in range(9)}
    assert estimate(scores, OBJECTIVE).interval is not None


def test_nineteen_of_twenty_intervals_hold_the_truth() -> None:
    """The tolerance is three standard errors of a share of 0.95 in 2000; skewness costs some of it."""
    rng = np.random.default_rng(1)
    n_hits, n_all, n = 0, 2000, 20
    for _ in range(n_all):
        hardness = rng.lognormal(0.0, 0.7, n)
        a, b = hardness * rng.lognormal(0.0, 0.3, n), 3.0 * hardness * rng.lognormal(0.0, 0.3, n)
        found = contrast(scores_of(*a), scores_of(*b), Objective(1e9))
        assert found.interval is not None
        n_hits += found.interval[0] <= 3.0 <= found.interval[1]
    assert abs(n_hits / n_all - 0.95) < 3.0 * sqrt(0.95 * 0.05 / n_all) + 0.02


def test_heavy_tails_cost_little_of_the_confidence() -> None:
    """A few instances make up most of the sums; the delta method would hold the truth in 78 % of cases."""
    rng = np.random.default_rng(2)
    n_hits, n_all, n = 0, 1000, 12
    for _ in range(n_all):
        a = rng.lognormal(0.0, 1.5, n)
        found = contrast(scores_of(*a), scores_of(*(a * rng.lognormal(0.0, 0.5, n))), Objective(1e9))
        assert found.interval is not None
        n_hits += found.interval[0] <= exp(0.125) <= found.interval[1]
    assert n_hits / n_all > 0.85


def test_an_instance_that_is_all_there_is_leaves_no_interval() -> None:
    assert contrast(scores_of(1.0, 0.0, 0.0), scores_of(1.0, 2.0, 3.0), OBJECTIVE).interval is None


@pytest.mark.parametrize(
    ("contrast", "words"),
    [
        (Contrast(Claim.SAME, 3), "it is the default"),
        (Contrast(Claim.OPEN, 1), "the comparison with the default is open on 1 common task"),
        (Contrast(Claim.RATIO, 2, 2.5), "it costs 2.5 times less than the default on 2 common tasks"),
        (
            Contrast(Claim.RATIO, 9, 0.5, (0.25, 0.8)),
            "it costs 2 times more than the default (95 %: 1.25 to 4) on 9 common tasks",
        ),
        (
            Contrast(Claim.AT_LEAST, 9, 4.0, (3.0, inf), n_cut=2),
            "it costs >= 4 times less than the default (95 %: 3 or more) on 9 common tasks",
        ),
        (
            Contrast(Claim.RATIO, 9, 3.0, (2.0, 4.5), is_score=True),
            "it scores 3 times less than the default (95 %: 2 to 4.5) on 9 common tasks",
        ),
    ],
)
def test_a_contrast_in_words_never_shows_a_bound_as_a_ratio(contrast: Contrast, words: str) -> None:
    assert str(contrast) == words
