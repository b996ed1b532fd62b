"""Dropped configs come back when the model and their own runs promise more than the best new config."""

from collections.abc import Mapping

import numpy as np
import pytest
from numpy.typing import NDArray

from tightrope.race.comebacks import Belief, comebacks
from tightrope.race.duel import Rules
from tightrope.race.objective import Objective, Score
from tightrope.race.race import Race
from tightrope.race.tasks import TaskOrder
from tightrope.race.terms import Terms
from tightrope.records import Config
from tightrope.space import Space

SPACE = Space.of({"n": (0, 99)})
DEFAULT, NEW = 0, 99
OBJECTIVE = Objective(300.0)


def config(n: int) -> Config:
    return Config({"n": n})


def race_with(costs: Mapping[int, list[float]], *, n_tasks: int = 8, noise: float = 1.0) -> Race:
    """Return a race in which the default costs 10 on each task, and dropped configs have these costs."""
    tasks = TaskOrder([f"i{i}" for i in range(n_tasks)], seeds=(0,), seed=0)
    race = Race(SPACE, tasks, config(DEFAULT), Rules(OBJECTIVE))
    for task in range(n_tasks):
        race.begin(config(DEFAULT), task)
        race.learn(0, task, Score(10.0, exact=True))
    for n, known in costs.items():
        for task, cost in enumerate(known):
            race.evidence.add(race.evidence.number(config(n)), task, Score(cost, exact=True))
    race.terms = Terms(OBJECTIVE, OBJECTIVE.ceiling, noise=noise, n_tasks=1000.0)
    return race


def believing(means: Mapping[int, float], *, deviation: float = 0.3) -> Belief:
    """Return a model's belief: log mean costs by n; that of the default is 0, and others are bad."""

    def belief(rows: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        known = {DEFAULT: 0.0, **means}
        return np.array([known.get(int(n), 2.0) for n in rows[:, 0]]), np.full(len(rows), deviation)

    return belief


def found(race: Race, belief: Belief, *, most: int = 8) -> list[int]:
    return [each["n"] for each in comebacks(race, belief, new=SPACE.encode(config(NEW)), most=most)]


def test_a_config_that_the_model_believes_in_comes_back() -> None:
    race = race_with({1: [11.0], 2: [11.0]})
    assert found(race, believing({1: -1.0, NEW: 1.0})) == [1]


def test_it_does_not_if_a_new_config_promises_more() -> None:
    race = race_with({1: [11.0], 2: [11.0]})
    assert found(race, believing({1: -1.0, NEW: -2.0})) == []


def test_good_runs_bring_back_a_config_of_which_the_model_expects_as_much_as_of_the_new_one() -> None:
    race = race_with({1: [2.0, 2.0], 2: [30.0, 30.0]})
    assert found(race, believing({1: 0.0, 2: 0.0, NEW: 0.0})) == [1]


def test_the_best_come_first_and_no_more_than_asked_for() -> None:
    race = race_with({1: [9.0], 2: [4.0], 3: [6.0]})
    belief = believing(dict.fromkeys((1, 2, 3), -0.5) | {NEW: 1.0})
    assert found(race, belief) == [2, 3, 1]
    assert found(race, belief, most=2) == [2, 3]


def test_the_incumbent_needs_more_tasks_before_a_config_that_has_run_all_of_them() -> None:
    race = race_with({1: [8.0] * 4, 2: [9.0]}, n_tasks=4)
    assert found(race, believing({1: -1.0, 2: 0.0, NEW: 2.0})) == []


def test_the_incumbent_and_challengers_in_the_race_do_not_come_back() -> None:
    race = race_with({1: [11.0]})
    race.begin(config(1), 1)
    assert found(race, believing({1: -3.0, NEW: 2.0})) == []


@pytest.mark.parametrize("n_tasks", [1, 4])
def test_more_runs_weigh_more_against_the_model(n_tasks: int) -> None:
    """After one bad run the model is still believed; after four it is not."""
    race = race_with({1: [25.0] * n_tasks}, noise=1.0)
    came_back = found(race, believing({1: -0.7, NEW: 0.2}))
    assert came_back == ([1] if n_tasks == 1 else [])
