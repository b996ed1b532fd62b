"""What the race believes: tails, the working ceiling, noise, doubt, and who deserves a second chance."""

from math import exp, inf, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tightrope.race.care import effective_tasks, rate_of_tasks
from tightrope.race.contenders import best_first, compare, shortlist
from tightrope.race.duel import Rules
from tightrope.race.evidence import Evidence
from tightrope.race.objective import Objective, Score
from tightrope.race.race import Race
from tightrope.race.tail import Tail
from tightrope.race.tasks import TaskOrder
from tightrope.race.terms import Terms, estimate_noise, expected_gain
from tightrope.race.working import working_ceiling
from tightrope.records import BudgetState, Config
from tightrope.space import Space

SPACE = Space.of({"n": (0, 99)})
CEILING = 300.0


def done(cost: float) -> Score:
    return Score(cost, exact=True)


def cut(bound: float) -> Score:
    return Score(bound, exact=False)


@pytest.mark.parametrize("par", [1.0, 10.0])
@pytest.mark.parametrize("index", [0.3, 0.5, 1.0, 2.5])
def test_an_unsolved_run_costs_the_mean_of_its_tail(index: float, par: float) -> None:
    bound = 40.0
    draws = bound * np.random.default_rng(0).random(400_000) ** (-1.0 / index)
    costs = np.where(draws >= CEILING, CEILING * par, draws)
    expected = Tail(index).expected(bound, Objective(CEILING, par))
    assert expected == pytest.approx(costs.mean(), rel=0.01)


@given(st.floats(0.01, 5.0), st.floats(1e-3, CEILING, exclude_max=True), st.floats(1.0, 10.0))
def test_an_unsolved_run_costs_more_than_its_bound_and_at_most_what_a_timeout_does(
    index: float, bound: float, par: float
) -> None:
    expected = Tail(index).expected(bound, Objective(CEILING, par))
    assert bound <= expected <= CEILING * par * (1 + 1e-9)


def test_the_index_of_a_tail_is_found_under_censoring() -> None:
    rng = np.random.default_rng(1)
    costs, bounds = 10.0 * rng.random(5000) ** (-1.0 / 0.7), rng.uniform(20.0, 200.0, 5000)
    scores = [done(c) if c < b else cut(b) for c, b in zip(costs, bounds, strict=True)]
    assert Tail.of(scores, ceiling=CEILING, working=80.0).index == pytest.approx(0.7, rel=0.05)


def test_without_runs_the_tail_is_heavy() -> None:
    assert Tail.of([], ceiling=CEILING, working=40.0).index == 1.0


@pytest.mark.parametrize(
    ("scores", "longest", "ceiling"),
    [
        ([], 40.0, 40.0),
        ([], inf, CEILING),
        ([done(1.0), done(3.0)], 40.0, 40.0),
        ([done(30.0), done(10.0)], 40.0, 60.0),  # three times the mean
        ([done(200.0)], 40.0, CEILING),
        ([cut(40.0)] * 2, 40.0, 40.0),
        ([cut(40.0)] * 3, 40.0, 160.0),  # more runs reach it than end
        ([*[cut(40.0)] * 2, cut(160.0)], 40.0, CEILING),  # and none ends
        ([*[cut(40.0)] * 2, cut(160.0), done(1.0)], 40.0, 160.0),
        ([], 0.1, 30.0),  # a tenth of the ceiling
        ([*[cut(40.0)] * 3, *[done(1.0)] * 3], 40.0, 40.0),
        ([cut(40.0)] * 2 + [done(inf)], 40.0, 40.0),  # a failure says nothing about time
    ],
)
def test_the_working_ceiling(scores: list[Score], longest: float, ceiling: float) -> None:
    assert working_ceiling(scores, Objective(CEILING), longest=longest) == pytest.approx(ceiling)


def test_where_tasks_are_few_the_working_ceiling_is_raised_when_all_reach_it() -> None:
    assert working_ceiling([cut(40.0)], Objective(CEILING), longest=40.0, n_tasks=1) == 160.0
    assert working_ceiling([cut(40.0)], Objective(CEILING), longest=40.0, n_tasks=2) == 40.0


@pytest.mark.parametrize(
    ("budget", "has_new", "ceiling"),
    [
        (BudgetState(10_000.0, 0.0), True, 40.0),
        (BudgetState(10_000.0, 0.5), False, 100.0),
        (BudgetState(10_000.0, 0.9), False, 40.0),
        (BudgetState(inf, 0.5), False, CEILING),
    ],
)
def test_how_much_of_the_budget_a_run_may_take(budget: BudgetState, has_new: bool, ceiling: float) -> None:
    race = Race(SPACE, TaskOrder("ab", seeds=(0,), seed=0), Config({"n": 0}), Rules(Objective(CEILING)))
    race.look_ahead(budget, has_new=has_new)
    assert race.terms.ceiling == pytest.approx(ceiling)


def test_a_run_counts_as_expected_at_the_working_ceiling_and_as_its_bound_below() -> None:
    objective = Objective(CEILING)
    terms = Terms(objective, 40.0, tail=Tail(1.0))
    assert terms.charge(cut(40.0)) == pytest.approx(40.0 * (1.0 + log(7.5)))
    assert terms.is_settled(cut(40.0))
    assert (terms.charge(cut(20.0)), terms.is_settled(cut(20.0))) == (20.0, False)
    assert terms.expect(cut(20.0)) > 20.0
    assert terms.charge(done(inf)) == terms.charge(cut(CEILING)) == CEILING


def test_the_terms_of_the_paper_are_bare_sums() -> None:
    terms = Terms(Objective(CEILING), CEILING)
    assert terms.expect(cut(20.0)) == 20.0
    assert terms.variance([1.0, 2.0]) == 0.0
    assert terms.is_convincing(1.0 - 1e-15, 1.0, 0.0, doubt=1.0)
    assert not terms.is_convincing(1.0, 1.0, 0.0, doubt=1.0)


def test_noise_is_the_spread_of_log_ratios() -> None:
    rng = np.random.default_rng(2)
    to_beat = {task: float(cost) for task, cost in enumerate(rng.lognormal(0.0, 2.0, 400))}
    others = [
        {task: cost * exp(shift + 0.9 * rng.standard_normal()) for task, cost in to_beat.items()}
        for shift in (-1.0, 0.5, 2.0)
    ]
    assert estimate_noise(to_beat, others) == pytest.approx(1.2 * 0.9, rel=0.05)


def test_sums_over_few_expensive_tasks_vary_more() -> None:
    """The measured variance of log ratios of sums is what the terms say, for ratios with little noise."""
    rng = np.random.default_rng(3)
    for costs in (np.ones(16), np.array([100.0, *np.ones(15)])):
        ratios = (costs * np.exp(0.2 * rng.standard_normal((20_000, 16)))).sum(axis=1) / costs.sum()
        terms = Terms(Objective(CEILING), CEILING, noise=0.2)
        assert terms.variance(costs.tolist()) == pytest.approx(float(np.log(ratios).var()), rel=0.1)


def test_nothing_is_left_to_chance_once_all_tasks_are_run() -> None:
    terms = Terms(Objective(CEILING), CEILING, noise=1.0, n_tasks=3)
    assert terms.variance([1.0, 2.0, 3.0]) == 0.0
    assert terms.is_convincing(0.999, 1.0, 0.0, doubt=1.0)


def test_a_small_lead_on_few_tasks_is_doubted() -> None:
    terms = Terms(Objective(CEILING), CEILING, noise=1.0)
    assert not terms.is_convincing(0.8, 1.0, terms.variance([1.0, 1.0]), doubt=1.0)
    assert terms.is_convincing(0.5, 1.0, terms.variance([1.0, 1.0]), doubt=1.0)
    assert terms.is_convincing(0.8, 1.0, terms.variance([1.0, 1.0]), doubt=0.4)
    assert terms.is_convincing(0.8, 1.0, terms.variance([1.0] * 20), doubt=1.0)


@given(st.floats(0.01, 100.0), st.floats(1e-6, 10.0))
def test_the_expected_gain_is_positive_and_larger_for_cheaper_configs(cost: float, variance: float) -> None:
    gain = expected_gain(cost, 1.0, variance)
    assert gain >= -1e-12
    assert expected_gain(cost / 2, 1.0, variance) >= gain - 1e-12


def test_the_expected_gain_is_the_mean_of_the_posteriors_gains() -> None:
    variance, measured = 0.5, 0.3
    weight = 1.0 / (1.0 + 1.0 / variance)
    draws = np.random.default_rng(4).normal(weight * (0.5 + measured / variance), weight**0.5, 400_000)
    expected = float(np.maximum(-draws, 0.0).mean())
    assert expected_gain(exp(measured), 1.0, variance) == pytest.approx(expected, rel=0.02)


@pytest.mark.parametrize(
    ("costs", "n"), [([1.0] * 8, 8.0), ([5.0], 1.0), ([100.0, *[0.01] * 9], 1.0), ([0.0, 0.0], 2.0)]
)
def test_effective_tasks(costs: list[float], n: float) -> None:
    assert effective_tasks(costs) == pytest.approx(n, rel=0.01)


def test_care_rises_with_noise_and_tails() -> None:
    alike, tailed = [1.0] * 20, [100.0] + [1.0] * 19
    assert rate_of_tasks([], noise=1.0, least=0.03) == 0.03
    assert rate_of_tasks(alike, noise=0.5, least=0.03) == 0.03
    assert rate_of_tasks(alike, noise=2.0, least=0.03) == pytest.approx(0.12)
    assert rate_of_tasks(tailed, noise=2.0, least=0.03) == 0.3


def test_who_may_yet_win_is_on_the_shortlist() -> None:
    evidence = Evidence(SPACE)
    numbers = [evidence.number(Config({"n": n})) for n in range(4)]
    to_beat = dict.fromkeys(range(8), 10.0)
    for task in range(8):
        evidence.add(numbers[0], task, done(10.0))
    for task in range(4):
        evidence.add(numbers[1], task, done(9.0))
        evidence.add(numbers[2], task, done(90.0))
    terms = Terms(Objective(CEILING), CEILING, tail=Tail(), noise=0.6, n_tasks=20)
    assert shortlist(evidence, to_beat, terms)[0] == numbers[1]
    best, *_ = best_first(numbers[1:], evidence, to_beat, terms)
    assert (best.number, best.n_tasks, best.challenger) == (numbers[1], 4, 36.0)
    assert numbers[2] not in {each.number for each in best_first(numbers, evidence, to_beat, terms)}
    assert compare(numbers[3], evidence, to_beat, terms).gain == 0.0, "it has run nothing"
