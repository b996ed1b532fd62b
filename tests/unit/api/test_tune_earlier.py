"""Tunings that begin with initial configs, or with what earlier tunings found."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tightrope import Scenario, tune
from tightrope.errors import JournalError
from tightrope.records import Event, Finished
from tightrope.run import Virtual
from tightrope.store import JournalReader


class HaltError(Exception):
    """What ends a tuning in the middle."""


def seconds(config: Mapping[str, Any], instance: str, seed: int) -> float:
    return (1.0 + 30.0 * (config["x"] - 0.3) ** 2 + 10.0 * (config["y"] - 0.7) ** 2) * len(instance)


def scenario(*instances: str, **changes: Any) -> Scenario:
    settings: dict[str, Any] = {
        "space": {"x": (0.0, 1.0), "y": (0.0, 1.0)},
        "instances": instances,
        "features": {name: [float(len(name))] for name in instances},
        "ceiling": 100.0,
        "budget": 300.0,
    }
    return Scenario(**settings | changes)


OLD, NEW = ("a", "bb", "cccc"), ("eeeee", "ff", "gggg")


def halt_after(n_runs: int) -> Callable[[Event], None]:
    left = iter(range(n_runs - 1))

    def watch(event: Event) -> None:
        if isinstance(event, Finished) and next(left, None) is None:
            raise HaltError

    return watch


def challengers(result: Any) -> list[Any]:
    return list(dict.fromkeys(run.trial.config for run in result.history))[1:]


def test_initial_configs_are_the_first_challengers() -> None:
    first = [{"x": 0.1, "y": 0.1}, {"x": 0.2}]
    result = tune(scenario(*NEW, initial=first), executor=Virtual(seconds))
    assert challengers(result)[:2] == [{"x": 0.1, "y": 0.1}, {"x": 0.2, "y": 0.5}]


def test_a_journal_of_other_initial_configs_is_refused(tmp_path: Path) -> None:
    tune(scenario(*NEW), journal=tmp_path / "j", executor=Virtual(seconds))
    with pytest.raises(JournalError, match="changed: initial"):
        tune(scenario(*NEW, initial=[{"x": 0.1}]), journal=tmp_path / "j", executor=Virtual(seconds))


def test_the_best_of_an_earlier_tuning_is_the_first_challenger() -> None:
    earlier = tune(scenario(*OLD), executor=Virtual(seconds))
    result = tune(scenario(*NEW, initial=[{"x": 0.9}]), executor=Virtual(seconds), earlier=[earlier])
    assert challengers(result)[:2] == [{"x": 0.9, "y": 0.5}, earlier.best]


def test_a_tuning_resumes_without_the_earlier_ones(tmp_path: Path) -> None:
    """The journal keeps their runs: the model learns from the same data before and after."""
    folder = tmp_path / "old"
    folder.mkdir()
    tune(scenario(*OLD), journal=folder / "tuning.journal", executor=Virtual(seconds))
    whole = tune(scenario(*NEW), executor=Virtual(seconds), earlier=[folder], seed=3)
    journal = tmp_path / "new.journal"
    with pytest.raises(HaltError):
        tune(
            scenario(*NEW),
            journal=journal,
            executor=Virtual(seconds),
            earlier=[folder],
            seed=3,
            watch=halt_after(30),
        )
    (folder / "tuning.journal").unlink()
    resumed = tune(scenario(*NEW), journal=journal, executor=Virtual(seconds), seed=3)
    assert resumed.history == whole.history
    assert resumed.best == whole.best
    cold = tune(scenario(*NEW), executor=Virtual(seconds), seed=3)
    assert cold.history != whole.history


def test_what_is_left_out_is_a_finding() -> None:
    earlier = tune(scenario(*OLD, features=None), executor=Virtual(seconds))
    result = tune(scenario(*NEW), executor=Virtual(seconds), earlier=[earlier])
    assert [finding.code for finding in result.findings] == ["R08"]
    assert challengers(result)[0] == earlier.best


def test_a_journal_with_earlier_runs_can_be_read_alone(tmp_path: Path) -> None:
    earlier = tune(scenario(*OLD, features=None), executor=Virtual(seconds))
    tune(scenario(*OLD), journal=tmp_path / "j", executor=Virtual(seconds), earlier=[earlier.history])
    with JournalReader(tmp_path / "j") as reader:
        assert {*reader.meta.notes} == {"earlier", "features"}
