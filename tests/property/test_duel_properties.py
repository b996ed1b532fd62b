"""Caps of a duel, for any sums: positive, monotone in the slack, never rounded."""

from math import inf

from hypothesis import assume, given
from hypothesis import strategies as st

from tightrope.race.duel import (
    Balance,
    Rules,
    Verdict,
    balance,
    cap_of,
    judge,
    margin,
    open_duel,
)
from tightrope.race.objective import Objective, Score
from tightrope.race.terms import Terms

CEILING = 100.0
TERMS = Terms(Objective(CEILING), CEILING)
COSTS = st.floats(1e-6, CEILING, exclude_max=True)
SLACKS = st.floats(1.0, 10.0) | st.just(inf)
SCORES = st.one_of(
    st.builds(Score, COSTS, st.booleans()),
    st.just(Score(inf, exact=True)),
    st.just(Score(CEILING, exact=False)),
)
TO_BEAT = st.dictionaries(st.integers(0, 9), COSTS | st.just(CEILING), min_size=1)
KNOWN = st.dictionaries(st.integers(0, 9), SCORES)


def rules(slack: float, resolution: float = 1e-9) -> Rules:
    return Rules(Objective(CEILING), slack=slack, resolution=resolution)


@given(COSTS, COSTS, st.none() | st.builds(Score, COSTS, st.just(False)), SLACKS, SLACKS)
def test_raising_the_slack_never_lowers_a_cap(
    incumbent: float, challenger: float, score: Score | None, one: float, other: float
) -> None:
    sums = Balance(incumbent, challenger, (0,))
    assert cap_of(score, sums, rules(min(one, other)), TERMS) <= cap_of(
        score, sums, rules(max(one, other)), TERMS
    )


@given(COSTS, SLACKS)
def test_a_first_cap_is_the_incumbents_cost_times_the_slack_to_the_last_bit(
    incumbent: float, slack: float
) -> None:
    assert cap_of(None, Balance(incumbent, 0.0, (0,)), rules(slack), TERMS) == min(slack * incumbent, CEILING)


@given(COSTS, COSTS, COSTS, SLACKS)
def test_a_cap_goes_beyond_the_bound_that_is_known_while_there_is_a_margin(
    incumbent: float, others: float, bound: float, slack: float
) -> None:
    sums = Balance(incumbent, others + bound, (0,))
    assume(margin(sums, slack) > 1e-9)
    assert bound < cap_of(Score(bound, exact=False), sums, rules(slack), TERMS) <= CEILING


@given(TO_BEAT, KNOWN, SLACKS)
def test_who_goes_on_has_an_open_task_and_a_cap_above_the_resolution(
    to_beat: dict[int, float], known: dict[int, Score], slack: float
) -> None:
    duel = open_duel(1, known, to_beat, rules(slack))
    verdict = judge(duel, known, to_beat, rules(slack), TERMS)
    sums = balance(duel, known, to_beat, TERMS)
    assert duel.rung <= len(to_beat)
    assert sorted(set(duel.order)) == sorted(duel.order)
    if verdict is Verdict.GO_ON:
        caps = [cap_of(known.get(task), sums, rules(slack), TERMS) for task in sums.open]
        assert caps
        assert all(1e-9 < cap <= CEILING for cap in caps)


@given(TO_BEAT, KNOWN, SLACKS)
def test_who_is_promoted_has_settled_all_tasks_at_a_smaller_cost(
    to_beat: dict[int, float], known: dict[int, Score], slack: float
) -> None:
    everything = {task: known.get(task, Score(cost / 2, exact=True)) for task, cost in to_beat.items()}
    duel = open_duel(1, everything, to_beat, rules(slack))
    objective = Objective(CEILING)
    is_settled = all(objective.is_settled(score) for score in everything.values())
    is_better = sum(map(objective.charge, everything.values())) < sum(to_beat.values())
    if judge(duel, everything, to_beat, rules(slack), TERMS) is Verdict.PROMOTE:
        assert is_settled
        assert is_better


@given(TO_BEAT, SLACKS)
def test_a_duel_meets_all_tasks_of_the_incumbent_each_once(to_beat: dict[int, float], slack: float) -> None:
    """A challenger that ties on each task goes from rung to rung until there is none left."""
    known: dict[int, Score] = {}
    duel = open_duel(1, known, to_beat, rules(slack))
    while judge(duel, known, to_beat, rules(slack), TERMS) is Verdict.GO_ON:
        task = balance(duel, known, to_beat, TERMS).open[0]
        known[task] = Score(to_beat[task], exact=True)
    assert set(known) == set(to_beat)
