"""tune() with many slots, in simulated time: all are busy, and together they get there sooner."""

from functools import cache
from zlib import crc32

from tightrope import Budget, Scenario, TuneResult, tune
from tightrope.records import Config
from tightrope.run import Virtual

DECISION_S = 1.0
RUN_S = 100.0 * DECISION_S
INSTANCES = tuple(f"instance {i}" for i in range(40))
DEFAULT = Config({"x": 0.5, "y": 0.5, "z": 0.5})


def seconds(config: Config, instance: str, seed: int) -> float:
    """Return a valley over three parameters; how hard an instance is varies by a factor of 16."""
    distance = sum((config[name] - 0.3) ** 2 for name in "xyz")
    difficulty = 4.0 ** (2.0 * (crc32(instance.encode()) % 1000) / 1000.0 - 1.0)
    return RUN_S * difficulty * (0.2 + 6.7 * distance)


def mean_cost(config: Config) -> float:
    return sum(seconds(config, instance, 0) for instance in INSTANCES) / len(INSTANCES)


@cache
def tune_with(slots: int, budget: Budget) -> TuneResult:
    space = dict.fromkeys("xyz", (0.0, 1.0))
    scenario = Scenario(space=space, instances=INSTANCES, ceiling=20.0 * RUN_S, budget=budget)
    return tune(scenario, executor=Virtual(seconds, slots=slots, overhead=DECISION_S), seed=1)


def with_sixteen_slots() -> TuneResult:
    return tune_with(16, Budget(wall=40.0 * RUN_S))


def time_to_half(slots: int) -> float:
    """Return when there was an incumbent that truly costs less than half of what the default does."""
    found = tune_with(slots, Budget(runs=400)).trajectory
    return next(each.wall_s for each in found if mean_cost(each.config) < 0.5 * mean_cost(DEFAULT))


def test_sixteen_slots_idle_less_than_a_twentieth_of_the_time() -> None:
    """Runs take a hundred times as long as a decision; those under way at the end are not even counted."""
    result = with_sixteen_slots()
    ran_for_s = sum(run.outcome.wall_s for run in result.history)
    assert ran_for_s / len(result.history) < RUN_S
    assert 1.0 - ran_for_s / (16 * result.wall_s) < 0.05


def test_siblings_of_a_dropped_challenger_are_cancelled() -> None:
    result = with_sixteen_slots()
    cancelled = [run for run in result.history if run.outcome.note == "cancelled"]
    incumbents = {DEFAULT, *(each.config for each in result.trajectory)}
    assert {run.trial.config for run in cancelled} - incumbents, "challengers, not incumbents of old"
    assert all(run.outcome.spent < run.trial.cap for run in cancelled)


def test_sixteen_slots_get_there_at_least_four_times_as_soon() -> None:
    assert time_to_half(16) < time_to_half(1) / 4.0


def test_two_hundred_and_fifty_six_slots_improve_upon_the_default() -> None:
    result = tune_with(256, Budget(wall=8.0 * RUN_S))
    assert mean_cost(Config(result.best)) < 0.5 * mean_cost(DEFAULT)
