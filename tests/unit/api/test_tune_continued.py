"""A tuning goes on with other slots than before; without any it waits."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tightrope import Scenario, tune
from tightrope.budget import Budget
from tightrope.race.engine import Engine
from tightrope.records import Event, Finished, Outcome
from tightrope.run import Virtual
from tightrope.scenario.setup import plan_of
from tightrope.store import JournalReader


class HaltError(Exception):
    """What ends a tuning in the middle."""


def seconds(config: dict[str, float], instance: str, seed: int) -> float:
    return (1.0 + 30.0 * (config["x"] - 0.3) ** 2) * len(instance)


def scenario(*, runs: int) -> Scenario:
    return Scenario(
        space={"x": (0.0, 1.0)},
        instances=["a", "bb", "cccc"],
        ceiling=100.0,
        budget=Budget(runs=runs),
        model="random",
    )


def halt_after(n_runs: int) -> Callable[[Event], None]:
    left = iter(range(n_runs - 1))

    def watch(event: Event) -> None:
        if isinstance(event, Finished) and next(left, None) is None:
            raise HaltError

    return watch


def test_however_often_slots_change_the_journal_tells_what_was_found(tmp_path: Path) -> None:
    journal = tmp_path / "run.journal"
    for slots in [8, 1, 3, 2, 8, 4, 1] * 3:  # so that challengers are dropped while their trials wait
        with pytest.raises(HaltError):
            tune(
                scenario(runs=500),
                journal=journal,
                executor=Virtual(seconds, slots=slots),
                watch=halt_after(5),
            )
    result = tune(scenario(runs=150), journal=journal, executor=Virtual(seconds, slots=2))
    again = tune(scenario(runs=150), journal=journal, executor=Virtual(seconds, slots=2))
    assert (again.best, again.cost, again.trajectory) == (result.best, result.cost, result.trajectory)
    with JournalReader(journal) as reader:
        ended = [entry.what.trial_id for entry in reader.entries() if isinstance(entry.what, Outcome)]
    assert ended == [run.trial.id for run in result.history]


def test_an_engine_without_slots_waits_for_some() -> None:
    engine = Engine(plan_of(scenario(runs=10), 0))
    assert engine.decide(0, 0.0).actions == ()
    assert len(engine.decide(1, 1.0).actions) == 1
