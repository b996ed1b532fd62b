"""The parts of a race: the order of tasks, what is known, what it counts for, and who is selected."""

from collections.abc import Sequence
from math import inf

import numpy as np
import pytest

from random_tuning import Tuning, World, of_numbers
from tightrope.race.candidates import ListedConfigs
from tightrope.race.challengers import interleave, select, select_first
from tightrope.race.duel import Rules, open_duel
from tightrope.race.evidence import Evidence
from tightrope.race.objective import Objective, Score, score_of
from tightrope.race.race import Race
from tightrope.race.tactics import Tactics
from tightrope.race.tasks import TaskOrder
from tightrope.records import Config, Outcome, Status, Task
from tightrope.space import Space

SPACE = Space.of({"n": (0, 99)})
FIRST, SECOND = Config({"n": 1}), Config({"n": 2})


def numbered(*numbers: int) -> list[Config]:
    return [Config({"n": number}) for number in numbers]


def test_each_round_of_tasks_holds_every_instance_once() -> None:
    order = TaskOrder("abcde", seeds=None, seed=3)
    rounds = [[order.task(5 * k + i) for i in range(5)] for k in range(4)]
    for k, tasks in enumerate(rounds):
        assert sorted(tasks, key=lambda task: task.instance) == [Task(name, k) for name in "abcde"]
    assert len({tuple(task.instance for task in tasks) for tasks in rounds}) > 1, "each is shuffled anew"


def test_the_position_of_a_task_is_where_it_comes() -> None:
    order = TaskOrder("abc", seeds=(7, 9), seed=0)
    assert [order.position(order.task(i)) for i in range(6)] == list(range(6))
    assert ["abc"[order.instance(i)] for i in range(6)] == [order.task(i).instance for i in range(6)]


def test_a_position_is_known_before_the_task_was_asked_for() -> None:
    position = TaskOrder("abc", seeds=None, seed=0).position(Task("b", 5))
    assert TaskOrder("abc", seeds=None, seed=0).task(position) == Task("b", 5)


@pytest.mark.parametrize("seeds", [(7, 9), None])
@pytest.mark.parametrize("task", [Task("d", 7), Task("a", -1)])
def test_a_task_of_another_scenario_has_no_position(seeds: Sequence[int] | None, task: Task) -> None:
    with pytest.raises(KeyError, match="not a task of this scenario"):
        TaskOrder("abc", seeds=seeds, seed=0).position(task)


@pytest.mark.parametrize(
    ("status", "cost", "score"),
    [
        (Status.DONE, 3.0, Score(3.0, exact=True)),
        (Status.CAPPED, 3.0, Score(3.0, exact=False)),
        (Status.FAILED, inf, Score(inf, exact=True)),
        (Status.FAILED, 0.0, Score(inf, exact=True)),
    ],
)
def test_an_outcome_is_a_cost_or_a_bound(status: Status, cost: float, score: Score) -> None:
    assert score_of(Outcome(0, status, cost, 1.0)) == score


@pytest.mark.parametrize(
    ("score", "charge", "is_settled"),
    [
        (Score(3.0, exact=True), 3.0, True),
        (Score(3.0, exact=False), 3.0, False),
        (Score(100.0, exact=False), 1000.0, True),
        (Score(100.0, exact=True), 1000.0, True),
        (Score(inf, exact=True), 1000.0, True),
    ],
)
def test_what_a_score_counts_for(score: Score, charge: float, is_settled: bool) -> None:
    objective = Objective(ceiling=100.0, par=10.0)
    assert (objective.charge(score), objective.is_settled(score)) == (charge, is_settled)


@pytest.mark.parametrize(
    ("scores", "known"),
    [
        ([Score(3.0, exact=False), Score(5.0, exact=False)], Score(5.0, exact=False)),
        ([Score(5.0, exact=False), Score(3.0, exact=False)], Score(5.0, exact=False)),
        ([Score(3.0, exact=False), Score(4.0, exact=True)], Score(4.0, exact=True)),
        ([Score(4.0, exact=True), Score(9.0, exact=False)], Score(4.0, exact=True)),
    ],
)
def test_evidence_keeps_what_says_most(scores: list[Score], known: Score) -> None:
    evidence = Evidence(SPACE)
    number = evidence.number(FIRST)
    for score in scores:
        evidence.add(number, 0, score)
    assert evidence.scores(number) == {0: known}
    assert len(evidence) == 1


def test_configs_are_numbered_in_the_order_in_which_they_turn_up() -> None:
    evidence = Evidence(SPACE)
    assert (evidence.find(FIRST), evidence.knows(FIRST)) == (0, False)
    assert [evidence.number(config) for config in (FIRST, SECOND, FIRST)] == [0, 1, 0]
    assert evidence.config(1) == SECOND
    assert evidence.n_configs == 2
    assert evidence.rows().tolist() == [[1.0], [2.0]]
    assert evidence.rows([1]).tolist() == [[2.0]]


def test_nothing_is_known_of_a_config_that_has_not_turned_up() -> None:
    evidence = Evidence(SPACE)
    assert evidence.scores(evidence.find(FIRST)) == {}


def test_a_race_begins_with_the_default_under_the_ceiling() -> None:
    race = Race(SPACE, TaskOrder("ab", seeds=(0,), seed=0), FIRST, Rules(Objective(60.0)))
    assert not race.has_yardstick
    assert race.next_step() is None
    assert race.first_step(SECOND) is None, "there is nothing to compare it with"
    step = race.defence()
    assert step is not None
    assert (step.config, step.task, step.cap) == (FIRST, 0, 60.0)


def test_a_duel_begins_with_all_tasks_that_the_challenger_knows() -> None:
    known = {3: Score(1.0, exact=False), 1: Score(1.0, exact=True), 9: Score(1.0, exact=True)}
    duel = open_duel(5, known, dict.fromkeys(range(8), 2.0), Rules(Objective(60.0)))
    assert (duel.order[:2], duel.rung) == ([1, 3], 2)
    assert sorted(duel.order) == list(range(8))


def test_a_first_rung_has_cheap_tasks_that_make_up_the_stake() -> None:
    to_beat = dict(enumerate([1.0] * 10 + [90.0]))  # the mean is 100 / 11
    orders = []
    for challenger in range(10):
        duel = open_duel(challenger, {}, to_beat, Rules(Objective(100.0)))
        assert duel.rung == 3, "three of them cost a quarter of the mean"
        assert all(to_beat[task] == 1.0 for task in duel.order[:3])
        assert sorted(duel.order) == list(to_beat), "all others follow, the dear one among them"
        orders.append(tuple(duel.order))
    assert len(set(orders)) > 1
    assert len({order.index(10) for order in orders}) > 1, "the dear one has no place of its own"


def test_a_stake_that_cheap_tasks_do_not_make_up_takes_dear_ones_as_well() -> None:
    duel = open_duel(1, {}, {0: 1.0, 1: 9.0}, Rules(Objective(60.0), tactics=Tactics(stake=1.0)))
    assert (duel.order, duel.rung) == ([0, 1], 2)


@pytest.mark.parametrize(
    ("share", "expected"),
    [(0.5, [0, 10, 1, 11, 2, 12]), (0.0, [0, 1, 2, 3, 4, 5]), (1.0, [10, 11, 12, 13, 14, 15])],
)
def test_favourites_and_random_configs_take_turns(share: float, expected: list[int]) -> None:
    chosen = interleave(iter(numbered(*range(10))), iter(numbered(*range(10, 20))), n=6, share=share)
    assert [config["n"] for config in chosen] == expected


def test_a_config_that_both_propose_is_taken_once() -> None:
    chosen = interleave(iter(numbered(1, 2, 3)), iter(numbered(1, 2, 4)), n=4, share=0.5)
    assert [config["n"] for config in chosen] == [1, 2, 3, 4]


def test_a_source_that_is_used_up_leaves_its_turns_out() -> None:
    chosen = interleave(iter(numbered(1)), iter(numbered(5, 6, 7)), n=6, share=0.5)
    assert [config["n"] for config in chosen] == [1, 5, 6, 7]


def test_only_rivals_are_selected_again() -> None:
    tuning = Tuning(of_numbers(n=40), World(0))
    tried: set[Config] = set()
    for decided in tuning.decisions():
        assert len(set(decided.challengers)) == len(decided.challengers)
        again = tried & set(decided.challengers)
        assert len(again) <= tuning.plan.tactics.n_rivals
        tried |= {trial.config for trial in tuning.running.values()}


def test_selections_of_a_decision_are_its_own() -> None:
    plan = of_numbers(n=40)
    race = Race(plan.space, TaskOrder(plan.instances, seeds=(0,), seed=0), plan.default, plan.rules)
    assert plan.default not in select_first(plan, race)
    one = select(plan, race, number=5, n=20, with_model=False)
    assert one == select(plan, race, number=5, n=20, with_model=False)
    assert len(select(plan, race, number=5, n=30, with_model=False)) > len(one)


@pytest.mark.parametrize(("n", "found"), [(2, 2), (9, 3)])
def test_a_design_of_listed_configs_is_a_part_of_the_list(n: int, found: int) -> None:
    rows = ListedConfigs(SPACE, numbered(3, 5, 8)).design(n, np.random.default_rng(0))
    assert len({SPACE.decode(row) for row in rows}) == found == len(rows)
