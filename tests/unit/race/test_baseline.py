"""Costs as multiples of what an instance costs the incumbent."""

import numpy as np
import pytest
from numpy.typing import NDArray

from tightrope.budget import Budget
from tightrope.race.baseline import baseline_costs
from tightrope.race.candidates import Effort, WholeSpace
from tightrope.race.duel import Rules
from tightrope.race.model import ModelCandidates
from tightrope.race.objective import Objective, Score
from tightrope.race.plan import Plan
from tightrope.race.race import Race
from tightrope.race.tasks import TaskOrder
from tightrope.race.training import InstanceColumns, TrainingData
from tightrope.records import Config
from tightrope.search.surrogate import ForestModel
from tightrope.space import Space

SPACE = Space.of({"x": (0.0, 1.0)})


def race_on(scores: dict[int, Score], *, seeds: tuple[int, ...] = (0, 1)) -> Race:
    """Return a race on three instances of which the default has these scores, by task."""
    tasks = TaskOrder("abc", seeds=seeds, seed=0)
    race = Race(SPACE, tasks, Config({"x": 0.0}), Rules(Objective(100.0, par=10.0)))
    for task, score in scores.items():
        race.begin(Config({"x": 0.0}), task)
        race.learn(0, task, score)
    return race


def by_instance(race: Race, baseline: NDArray[np.float64], n: int) -> list[float]:
    """Return what the instances of the first n tasks cost, in the order of tasks."""
    return [baseline[race.tasks.instance(task)] for task in range(n)]


def test_an_instance_costs_what_it_costs_the_incumbent() -> None:
    race = race_on({0: Score(1.0, exact=True), 1: Score(5.0, exact=True), 2: Score(7.0, exact=True)})
    assert by_instance(race, baseline_costs(race, 3, floor=0.01), 3) == pytest.approx([1.0, 5.0, 7.0])


def test_an_instance_of_several_tasks_costs_their_geometric_mean() -> None:
    tasks = TaskOrder("abc", seeds=(0, 1), seed=0)
    again = next(task for task in (3, 4, 5) if tasks.instance(task) == tasks.instance(0))
    race = race_on({0: Score(2.0, exact=True), again: Score(8.0, exact=True)})
    assert baseline_costs(race, 3, floor=0.01)[tasks.instance(0)] == pytest.approx(4.0)


def test_bounds_do_not_count_but_timeouts_do() -> None:
    race = race_on({0: Score(5.0, exact=False), 1: Score(100.0, exact=False)}, seeds=(0,))
    assert by_instance(race, baseline_costs(race, 3, floor=0.01), 2) == pytest.approx([1000.0, 1000.0])


def test_what_is_unknown_is_average() -> None:
    race = race_on({0: Score(1.0, exact=True), 1: Score(9.0, exact=True)}, seeds=(0,))
    assert by_instance(race, baseline_costs(race, 3, floor=0.01), 3) == pytest.approx([1.0, 9.0, 3.0])


def test_what_cannot_be_measured_costs_the_floor() -> None:
    race = race_on({0: Score(0.0, exact=True)}, seeds=(0,))
    assert baseline_costs(race, 3, floor=0.01) == pytest.approx([0.01] * 3)


@pytest.mark.parametrize(("slope", "expected"), [(0.5, [1.0, 4.0]), (1.7, [1.0, 16.0]), (-1.0, [1.0, 1.0])])
def test_what_others_do_not_share_was_luck(slope: float, expected: list[float]) -> None:
    """The incumbent's costs are 1 and 16; those of others are as unequal as the slope says."""
    race = race_on({0: Score(1.0, exact=True), 1: Score(16.0, exact=True)}, seeds=(0,))
    for k in range(20):
        number = race.evidence.number(Config({"x": 0.02 * (k + 1)}))
        level = 1.0 + k
        race.evidence.add(number, 0, Score(level, exact=True))
        race.evidence.add(number, 1, Score(level * 16.0**slope, exact=True))
    assert by_instance(race, baseline_costs(race, 3, floor=1e-6), 2) == pytest.approx(expected)


def model(data: TrainingData, *, baseline: list[float] | None) -> ModelCandidates:
    plan = Plan(
        SPACE,
        ("a", "b", "c"),
        Rules(Objective(1000.0)),
        Budget(runs=1),
        WholeSpace(SPACE, Effort()),
        InstanceColumns.of(3, None),
        Config({"x": 0.0}),
    )
    forest = ForestModel(options={"n_estimators": 10, "ceiling": 1000.0, "min_samples_split": 5})
    costs = None if baseline is None else np.array(baseline)
    return ModelCandidates(data, plan, forest, rng=np.random.default_rng(0), baseline=costs)


def data_of(*known: tuple[float, int, float]) -> TrainingData:
    """Return training data of triples (x, instance, cost)."""
    x, instance, cost = (np.array(column) for column in zip(*known, strict=True))
    rows = SPACE.encode([Config({"x": each}) for each in x])
    return TrainingData(rows, instance, cost, np.zeros(len(x), bool))


CHALLENGERS = [(0.5 + 0.01 * k, 0, 3.0) for k in range(30)]  # thrice the incumbent's, where it is cheap
INCUMBENT = [(0.0, 0, 1.0), (0.0, 1, 100.0)]


def test_what_is_learnt_on_a_cheap_instance_is_believed_of_an_expensive_one() -> None:
    rows = SPACE.encode([Config({"x": 0.0}), Config({"x": 0.7})])
    data = data_of(*INCUMBENT * 10, *CHALLENGERS)
    costs = np.exp(model(data, baseline=[1.0, 100.0, 10.0]).belief(rows)[0])
    assert costs == pytest.approx([37.0, 3 * 37.0], rel=0.15)


def test_costs_as_such_say_nothing_about_an_expensive_instance() -> None:
    rows = SPACE.encode([Config({"x": 0.0}), Config({"x": 0.7})])
    one, other = np.exp(model(data_of(*INCUMBENT * 10, *CHALLENGERS), baseline=None).belief(rows)[0])
    assert other < 1.5 * one
