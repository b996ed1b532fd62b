"""validate(): runs what is missing, on all kinds of executors, and compares."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tightrope import Result, Scenario, validate
from tightrope.errors import ExecutorError, JournalError, ScenarioError
from tightrope.records import Event, Finished, Queued, Status, StopKind
from tightrope.run import CommandTarget, LocalPool, Mishap, Serial, Virtual
from tightrope.store import JournalReader

CONFIGS = {"default": {"x": 8.0}, "best": {"x": 2.0}}


def seconds(config: Any, instance: str, seed: int) -> float:
    return float(config["x"]) * len(instance)


def scenario_of(**changes: Any) -> Scenario:
    settings = {"space": {"x": (1.0, 9.0)}, "instances": ["t"], "test": ["a", "bb", "ccc"], "ceiling": 100.0}
    return Scenario(**settings | {"budget": 500.0} | changes)


def counted(calls: list[str]) -> Callable[..., float]:
    def cost(config: Any, instance: str, seed: int) -> float:
        calls.append(instance)
        return seconds(config, instance, seed)

    return cost


def test_configs_are_compared_on_the_test_instances() -> None:
    found = validate(scenario_of(), CONFIGS, executor=Virtual(seconds))
    assert found.matches[0].contrast.ratio == 4.0
    assert {run.trial.task.instance for run in found.history} == {"a", "bb", "ccc"}


def test_several_slots_give_the_same_result() -> None:
    one = validate(scenario_of(), CONFIGS, executor=Virtual(seconds))
    several = validate(scenario_of(), CONFIGS, executor=Virtual(seconds, slots=4))
    assert one.contenders == several.contenders


def test_runs_go_up_to_the_ceiling_and_not_beyond() -> None:
    found = validate(scenario_of(ceiling=20.0), CONFIGS, executor=Virtual(seconds))
    assert found.contenders[0].n_timeouts == 1
    assert found.contenders[0].cost.mean == (8 + 16 + 20) / 3


def test_config_that_comes_twice_is_run_once() -> None:
    calls: list[str] = []
    found = validate(
        scenario_of(), {"default": {"x": 8.0}, "best": {"x": 8.0}}, executor=Virtual(counted(calls))
    )
    assert len(calls) == 3
    assert "same config" in str(found)


def test_what_the_journal_holds_is_not_run_again(tmp_path: Path) -> None:
    journal = tmp_path / "validation.journal"
    validate(scenario_of(), {"default": {"x": 8.0}}, journal=journal, executor=Virtual(seconds))
    calls: list[str] = []
    found = validate(scenario_of(), CONFIGS, journal=journal, executor=Virtual(counted(calls)))
    assert len(calls) == 3
    assert len(found.history) == 6


def test_interrupted_validation_goes_on_where_it_was(tmp_path: Path) -> None:
    journal = tmp_path / "validation.journal"

    n_finished = 0

    def stop_after_two(event: Event) -> None:
        nonlocal n_finished
        n_finished += isinstance(event, Finished)
        if n_finished == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        validate(
            scenario_of(), CONFIGS, journal=journal, executor=Virtual(seconds, slots=2), watch=stop_after_two
        )
    with JournalReader(journal) as reader:
        n_there = len(reader.history())
    calls: list[str] = []
    seen: list[Event] = []
    found = validate(
        scenario_of(), CONFIGS, journal=journal, executor=Virtual(counted(calls)), watch=seen.append
    )
    assert len(calls) == 6 - n_there
    assert seen[0] == Queued(n_there, 6)
    assert sum(isinstance(event, Finished) for event in seen) == 6 - n_there
    assert found.matches[0].contrast.ratio == 4.0


def test_journal_of_another_ceiling_is_refused(tmp_path: Path) -> None:
    journal = tmp_path / "validation.journal"
    validate(scenario_of(), CONFIGS, journal=journal, executor=Virtual(seconds))
    with pytest.raises(JournalError, match=r"changed: ceiling \(was 100\.0, now 50\.0\)"):
        validate(scenario_of(ceiling=50.0), CONFIGS, journal=journal, executor=Virtual(seconds))


def test_more_repeats_add_seeds(tmp_path: Path) -> None:
    journal = tmp_path / "validation.journal"
    scenario = scenario_of(deterministic=False)
    validate(scenario, CONFIGS, journal=journal, executor=Virtual(seconds))
    calls: list[str] = []
    found = validate(scenario, CONFIGS, repeat=3, journal=journal, executor=Virtual(counted(calls)))
    assert len(calls) == 12
    assert {run.trial.task.seed for run in found.history} == {0, 1, 2}


def test_lost_runs_are_run_again_until_it_is_enough() -> None:
    def cost(config: Any, instance: str, seed: int) -> Mishap:
        return Mishap(1.0, Status.LOST, "its worker died")

    with pytest.raises(ExecutorError, match="10 runs in a row were lost: its worker died"):
        validate(scenario_of(), CONFIGS, executor=Virtual(cost))


def test_training_instances_come_with_a_warning() -> None:
    found = validate(scenario_of(), CONFIGS, on="train", executor=Virtual(seconds))
    assert "V02" in [finding.code for finding in found.findings]


def test_scenario_without_test_instances_is_refused() -> None:
    with pytest.raises(ScenarioError, match="no test instances; add them"):
        validate(scenario_of(test=()), CONFIGS, executor=Virtual(seconds))


def test_illegal_config_is_named() -> None:
    with pytest.raises(ScenarioError, match="config 'best': parameter 'x', given 77"):
        validate(scenario_of(), {"best": {"x": 77}}, executor=Virtual(seconds))


@pytest.mark.parametrize("executor", [Serial(), LocalPool(2, oversubscribe=True)])
def test_commands_are_run_for_real(executor: Any) -> None:
    target = CommandTarget(["sh", "-c", "exit $1", "sh", "{instance}"], names=["x"])
    scenario = scenario_of(target=target, test=["0", "3"], ceiling=60.0)
    found = validate(scenario, CONFIGS, executor=executor)
    assert [(one.n_solved, one.n_failures) for one in found.contenders] == [(1, 1), (1, 1)]
    assert "exit code 3" in str(found.findings[-1])


def test_it_is_a_result_with_the_best_config_and_a_picture() -> None:
    found = validate(scenario_of(), CONFIGS, executor=Virtual(seconds))
    assert isinstance(found, Result)
    assert found.best == {"x": 2.0}
    assert found.cost == min(one.cost.mean for one in found.contenders)
    assert found.spent == sum(run.outcome.spent for run in found.history)
    assert found.reason.kind is StopKind.COMPLETE
    axes = found.plot().axes[0]
    assert axes.get_title() == "best costs less on 3 of 3 instances"
    xs, ys = axes.lines[0].get_data()
    assert (sorted(xs), sorted(ys)) == ([8.0, 16.0, 24.0], [2.0, 4.0, 6.0])
