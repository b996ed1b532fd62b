"""Run folders of SMAC3 as earlier tunings."""

import json
import os
from math import inf
from pathlib import Path
from typing import Any

import pytest

from tightrope import Budget, Scenario
from tightrope.cli.runs.export import NumberedRuns, as_smac3
from tightrope.errors import ScenarioError
from tightrope.race.objective import Objective
from tightrope.records import Config, Outcome, Run, Status, Task, Trial
from tightrope.scenario import read_pcs
from tightrope.scenario.earlier import take_in
from tightrope.scenario.smac3.folder import is_smac3, read_smac3
from tightrope.store import History

CONFIGS = {"1": {"x": 0.9}, "2": {"x": 0.3}}


def entry(status: int, config: int = 1, *, cost: Any = 5.0, **more: Any) -> dict[str, Any]:
    times = {"time": 2.0, "cpu_time": 1.5, "starttime": 0.0, "endtime": 2.0}
    named = {"config_id": config, "instance": "a", "seed": 7, "budget": None, "cost": cost, "status": status}
    return named | times | {"additional_info": {}} | more


def write(folder: Path, data: list[Any], **scenario: Any) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "runhistory.json").write_text(json.dumps({"stats": {}, "data": data, "configs": CONFIGS}))
    (folder / "scenario.json").write_text(json.dumps(scenario))
    return folder


def results(folder: Path) -> list[tuple[Status, float]]:
    return [(run.outcome.status, run.outcome.cost) for run in read_smac3(folder).history]


def test_a_run_history_of_the_present_version_is_read(tmp_path: Path) -> None:
    folder = write(tmp_path, [entry(1), entry(1, 2, cost=3.0), entry(0, 2)], instance_features={"a": [4]})
    (folder / "intensifier.json").write_text('{"incumbent_ids": [1]}')
    found = read_smac3(folder)
    first, second = found.history
    assert (first.trial.config, first.trial.task, first.trial.cap) == ({"x": 0.9}, Task("a", 7), inf)
    assert (first.outcome.status, first.outcome.cost, first.outcome.cpu_s) == (Status.DONE, 5.0, 1.5)
    assert second.trial.config == {"x": 0.3}
    assert (found.best, found.features) == ({"x": 0.9}, {"a": [4.0]})
    assert is_smac3(folder / "runhistory.json")
    assert results(folder / "runhistory.json") == results(folder)


def test_a_list_of_version_2_0_and_a_pair_of_1_4_are_read(tmp_path: Path) -> None:
    flat = [2, None, 0, 0.0, 3.0, 0.5, 1, 0.0, 0.5, {}]
    pair = [[1, "b", 3, 0.0], [4.0, 0.5, {"__enum__": "StatusType.MEMOUT"}, 0.0, 0.5, {}]]
    folder = write(tmp_path, [flat, pair])
    first, second = read_smac3(folder).history
    assert (first.trial.task, first.outcome.cost) == (Task("", 0), 3.0)
    assert (second.trial.task, second.outcome.status) == (Task("b", 3), Status.FAILED)


def test_a_timeout_is_a_bound_where_runtime_is_the_cost(tmp_path: Path) -> None:
    data = [entry(3, cost=99.0), entry(2), entry(4)]
    failed = (Status.FAILED, inf)
    assert results(write(tmp_path, data, runtime_cutoff=10)) == [(Status.CAPPED, 2.0), failed, failed]
    assert results(write(tmp_path, data, adaptive_capping=True))[0] == (Status.CAPPED, 2.0)
    assert results(write(tmp_path, data)) == [failed, failed, failed]


def test_the_scenario_of_1_4_says_what_a_timeout_means(tmp_path: Path) -> None:
    pair = [[1, "b", 3, 0.0], [100.0, 10.0, {"__enum__": "StatusType.CAPPED"}, 0.0, 0.5, {}]]
    folder = write(tmp_path, [pair])
    (folder / "scenario.json").unlink()
    assert results(folder) == [(Status.FAILED, inf)]
    (folder / "scenario.txt").write_text("run_obj = runtime\ncutoff_time = 20\n")
    assert results(folder) == [(Status.CAPPED, 10.0)]
    (run,) = read_smac3(folder).history
    assert run.trial.cap == 20.0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "invalid JSON"),
        ("[]", "this is not a run history of SMAC3"),
        ('{"data": [[1, 2, 3]], "configs": {}}', "this is not a run history of SMAC3"),
        (json.dumps({"data": [entry(1, 3)], "configs": CONFIGS}), "this is not a run history of SMAC3"),
        (json.dumps({"data": [entry(1, cost=[1, 2])], "configs": CONFIGS}), "only single objectives"),
    ],
)
def test_what_is_no_run_history_is_named(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "runhistory.json").write_text(text)
    with pytest.raises(ScenarioError, match=said) as raised:
        read_smac3(tmp_path)
    assert raised.value.file == str(tmp_path / "runhistory.json")


def test_what_is_exported_for_smac3_comes_back(tmp_path: Path) -> None:
    def run_of(number: int, instance: str, status: Status, cost: float) -> Run:
        trial = Trial(number, Config({"x": 0.5}), 4.0, Task(instance))
        return Run(trial, Outcome(number, status, cost, 1.0, wall_s=2.0, cpu_s=1.0))

    runs = [
        run_of(0, "a", Status.DONE, 3.5),
        run_of(1, "b", Status.CAPPED, 4.0),
        run_of(2, "c", Status.FAILED, inf),
    ]
    numbered = NumberedRuns(History(runs), {Config({"x": 0.5}): 0})
    (tmp_path / "runhistory.json").write_text(as_smac3(numbered, Objective(10.0, par=10.0)))
    again = read_smac3(tmp_path).history
    assert [(run.trial.task, run.trial.cap) for run in again] == [(run.trial.task, 4.0) for run in runs]
    assert results(tmp_path) == [(run.outcome.status, run.outcome.cost) for run in runs]


@pytest.mark.skipif("TIGHTROPE_DATA" not in os.environ, reason="TIGHTROPE_DATA names no recorded data")
def test_a_folder_that_smac3_1_4_wrote_is_an_earlier_tuning() -> None:
    folder = Path(os.environ["TIGHTROPE_DATA"], "smac3-1.4")
    space = read_pcs(folder / "configspace.pcs")
    taken = take_in([folder], Scenario(space=space, ceiling=1e9, budget=Budget(runs=10)))
    assert (taken.n_runs, taken.n_elsewhere, taken.n_outside) == (20, 0, 0)
    (best,) = taken.best
    assert best["x0"] == pytest.approx(-0.9143679946679786)
