"""Costs as multiples of what an instance costs the incumbent."""

import numpy as np
import pytest

from tightrope.race.duel import Rules
from tightrope.race.favourites import Favourites, Instances, Lessons, Taste
from tightrope.race.objective import Objective, Score
from tightrope.race.race import Race
from tightrope.race.selection import usual_costs
from tightrope.race.tasks import TaskOrder
from tightrope.records import Config
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


def test_an_instance_costs_the_mean_of_its_tasks() -> None:
    race = race_on({0: Score(1.0, exact=True), 1: Score(5.0, exact=True), 3: Score(7.0, exact=True)})
    expected = [[], [], []]
    for task, cost in ((0, 1.0), (1, 5.0), (3, 7.0)):
        expected[race.tasks.instance(task)].append(cost)
    means = [np.mean(costs) if costs else np.nan for costs in expected]
    assert usual_costs(race, 3, floor=0.01) == pytest.approx(means, nan_ok=True)


def test_bounds_do_not_count_but_timeouts_do() -> None:
    race = race_on({0: Score(5.0, exact=False), 1: Score(100.0, exact=False)}, seeds=(0,))
    usual = usual_costs(race, 3, floor=0.01)
    assert np.isnan(usual[race.tasks.instance(0)])
    assert usual[race.tasks.instance(1)] == 1000.0


def test_what_cannot_be_measured_costs_the_floor() -> None:
    race = race_on({0: Score(0.0, exact=True)}, seeds=(0,))
    assert usual_costs(race, 3, floor=0.01)[race.tasks.instance(0)] == 0.01


def model(lessons: Lessons, *, usual: list[float] | None) -> Favourites:
    return Favourites(
        lessons,
        space=SPACE,
        view=Instances.of(3, None),
        taste=Taste(1000.0),
        rng=np.random.default_rng(0),
        usual=None if usual is None else np.array(usual),
    )


def lessons_of(*known: tuple[float, int, float]) -> Lessons:
    """Of (x, instance, cost)."""
    x, instance, cost = (np.array(column) for column in zip(*known, strict=True))
    return Lessons(SPACE.encode([Config({"x": each}) for each in x]), instance, cost, np.zeros(len(x), bool))


CHALLENGERS = [(0.5 + 0.01 * k, 0, 3.0) for k in range(30)]  # thrice the incumbent's, where it is cheap
INCUMBENT = [(0.0, 0, 1.0), (0.0, 1, 100.0)]


def test_what_is_learnt_on_a_cheap_instance_is_believed_of_a_dear_one() -> None:
    rows = SPACE.encode([Config({"x": 0.0}), Config({"x": 0.7})])
    lessons = lessons_of(*INCUMBENT * 10, *CHALLENGERS)
    costs = np.exp(model(lessons, usual=[1.0, 100.0, np.nan]).belief(rows)[0])
    assert costs == pytest.approx([50.5, 3 * 50.5], rel=0.15)


def test_costs_as_such_say_nothing_about_a_dear_instance() -> None:
    rows = SPACE.encode([Config({"x": 0.0}), Config({"x": 0.7})])
    one, other = np.exp(model(lessons_of(*INCUMBENT * 10, *CHALLENGERS), usual=None).belief(rows)[0])
    assert other < 1.5 * one


def test_instances_that_the_incumbent_does_not_know_are_left_out() -> None:
    lessons = lessons_of(*INCUMBENT * 10, *CHALLENGERS)
    more = lessons_of(*INCUMBENT * 10, *CHALLENGERS, (0.7, 2, 999.0))
    rows = SPACE.encode([Config({"x": 0.7})])
    usual = [1.0, 100.0, np.nan]
    assert model(more, usual=usual).belief(rows) == model(lessons, usual=usual).belief(rows)
