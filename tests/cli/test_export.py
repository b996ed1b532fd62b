"""The verb export."""

import csv
import importlib.util
import io
import json
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from math import inf
from pathlib import Path

import pytest
from ConfigSpace import ConfigurationSpace

from tightrope.cli.main import run
from tightrope.cli.runs.export import NumberedRuns, as_smac3
from tightrope.race.objective import Objective
from tightrope.records import Config, Outcome, Run, Status, Task, Trial
from tightrope.store import History, Journal, JournalReader

Capture = pytest.CaptureFixture[str]


def test_csv_has_a_line_for_each_run(tuned: Path, capsys: Capture) -> None:
    assert run(["export", str(tuned)]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    with JournalReader(tuned / "tuning.journal") as reader:
        history = list(reader.history())
    assert [int(row["trial"]) for row in rows] == [each.trial.id for each in history]
    assert [float(row["cost"]) for row in rows] == [each.outcome.cost for each in history]
    assert [float(row["param.x"]) for row in rows] == [each.trial.config["x"] for each in history]
    assert rows[0]["config"] == "0"


def test_configs_have_the_numbers_that_they_have_elsewhere(tuned: Path, capsys: Capture) -> None:
    assert run(["status", "--json", str(tuned)]) == 0
    incumbent = json.loads(capsys.readouterr().out)["incumbent"]
    assert run(["export", str(tuned), "--format", "jsonl"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {row["config"] for row in rows if row["values"] == incumbent["config"]} == {incumbent["number"]}


def test_a_file_is_written_where_it_is_named(tuned: Path, capsys: Capture) -> None:
    assert run(["export", str(tuned), "--format", "jsonl", "-o", "all.jsonl"]) == 0
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "wrote 30 runs to all.jsonl\n")
    assert len(Path("all.jsonl").read_text().splitlines()) == 30


def test_the_space_can_be_had_for_configspace(tuned: Path) -> None:
    assert run(["export", str(tuned), "--format", "configspace", "-o", "space.json"]) == 0
    assert set(ConfigurationSpace.from_json("space.json")) == {"x", "mode"}


def test_parquet_says_what_it_needs(tuned: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    find: Callable[[str], ModuleSpec | None] = importlib.util.find_spec
    monkeypatch.setattr(
        "tightrope.cli.runs.export.find_spec", lambda name: None if name == "pyarrow" else find(name)
    )
    assert run(["export", str(tuned), "--format", "parquet", "-o", "all.parquet"]) == 2
    assert "parquet needs pyarrow; pip install 'tightrope[parquet]'" in capsys.readouterr().err


def test_parquet_holds_all_runs(tuned: Path) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    assert run(["export", str(tuned), "--format", "parquet", "-o", "all.parquet"]) == 0
    assert len(pandas.read_parquet("all.parquet")) == 30


def test_smac3_gets_bounds_and_failures_as_far_as_its_format_allows() -> None:
    config = Config({"x": 0.5})

    def run_of(number: int, instance: str, status: Status, cost: float) -> Run:
        outcome = Outcome(number, status, cost, min(cost, 1.0), wall_s=2.0, cpu_s=1.0)
        return Run(Trial(number, config, 4.0, Task(instance)), outcome)

    history = History(
        [
            run_of(0, "a", Status.CAPPED, 3.0),
            run_of(1, "a", Status.DONE, 3.5),
            run_of(2, "b", Status.CAPPED, 4.0),
            run_of(3, "c", Status.FAILED, inf),
            run_of(4, "d", Status.LOST, inf),
        ]
    )
    told = json.loads(as_smac3(NumberedRuns(history, {config: 0}), Objective(10.0, par=10.0)))
    entries = [(each["instance"], each["status"], each["cost"]) for each in told["data"]]
    assert entries == [("a", 1, 3.5), ("b", 3, 4.0), ("c", 2, 100.0)]
    assert [each["additional_info"]["cost_is_a_bound"] for each in told["data"]] == [False, True, False]
    assert told["configs"] == {"1": {"x": 0.5}}
    assert told["stats"] == {"submitted": 3, "finished": 3, "running": 0}


def test_the_sentence_counts_what_smac3_gets(tuned: Path, capsys: Capture) -> None:
    with Journal.open(tuned / "tuning.journal") as journal:
        history = list(JournalReader(tuned / "tuning.journal").history())
        again = Trial(1000, history[0].trial.config, history[0].trial.cap, history[0].trial.task)
        lost = Outcome(1000, Status.LOST, inf, 0.0)
        journal.record([again, lost])
    assert run(["export", str(tuned), "--format", "smac3", "-o", "runhistory.json"]) == 0
    assert len(json.loads(Path("runhistory.json").read_text())["data"]) == 30
    said = capsys.readouterr().err
    assert said.startswith("wrote 30 runs to runhistory.json; left out: 1 that were lost, or say less")


def test_json_means_that_stdout_holds_nothing_else(tuned: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["export", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["trial"] for row in rows] == list(range(30))
