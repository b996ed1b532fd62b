"""Solvers and instances of live runs."""

from importlib import import_module as load
from pathlib import Path

import numpy as np
import pytest

from tightrope.records import Config, Status, Task, Trial
from tightrope.run import wait
from tightrope.run.executor import usable_cores

pytest.importorskip("matplotlib")
pytest.importorskip("pandas")
if usable_cores() < 2:
    pytest.skip("live tunings need two cores", allow_module_level=True)


NAME = "clasp-large-circuits"


def test_kissat_that_is_missing_is_named_with_its_package(study, monkeypatch):
    module = load("lib.recording.studies")

    def miss():
        return load("tightrope.demo.kissat").find_kissat("surely-not-installed")

    monkeypatch.setitem(module.STUDIES, NAME, load("dataclasses").replace(study, solver=miss))
    with pytest.raises(SystemExit, match="pip install surely-not-installed"):
        load("live.setup").find_program_of(NAME)


def test_a_library_cannot_be_run_live(study, monkeypatch):
    library = load("lib.recording.library").Library(lambda problem, config, ceiling: ("5", 0.25))
    other = load("dataclasses").replace(study, solver=lambda: library)
    monkeypatch.setitem(load("lib.recording.studies").STUDIES, NAME, other)
    with pytest.raises(SystemExit, match="a library, not a program"):
        load("live.setup").find_program_of(NAME)


def test_instances_that_were_not_recorded_are_refused(study, recordings, tmp_path):
    recording = load("lib.recording.files").read_recording(recordings / NAME)
    other = load("dataclasses").replace(study, draw=lambda seed: study.draw(seed + 1))
    with pytest.raises(SystemExit, match="instance 0 differs from the recorded one"):
        load("live.setup").write_instances(other, recording, tmp_path / "instances")


def run_once(program, *, answer, path=Path("it.json"), config=None, cap=30.0):
    target = load("live.target").ProgramTarget(program, {"it": path}, {"it": answer})
    process = target.start(Trial(0, Config(config or {"x": 0.1}), cap, Task("it", 0)))
    outcome = wait(process)
    process.close()
    return outcome


def test_a_true_answer_costs_cpu_time(program):
    outcome = run_once(program, answer="SAT")
    assert outcome.status is Status.DONE
    assert outcome.cost == outcome.cpu_s


def test_a_wrong_answer_is_a_failure(program):
    outcome = run_once(program, answer="UNSAT")
    assert outcome.status is Status.FAILED
    assert "wrong answer: SAT, expected UNSAT" in outcome.note


def test_braces_in_a_path_are_just_braces(program):
    outcome = run_once(program, answer="UNSAT", path=Path("{seed}.json"))
    assert "solver.sh 200 '{seed}.json'" in outcome.note


@pytest.mark.parametrize("position", [0, 1])
def test_recorded_solvers_answer_as_recorded(position, tmp_path):
    name = load("lib.scenarios").study_of(load("live.run").SCENARIOS[position])
    try:
        program = load("live.setup").find_program_of(name)
    except SystemExit as reason:
        pytest.skip(str(reason))
    study = load("lib.recording.studies").STUDIES[name]
    path = tmp_path / f"it.{study.suffix}"
    path.write_text(study.draw(0))
    space = study.space()
    config = space.decode(space.default())
    outcome = run_once(program, answer=study.answer(path.read_text()), path=path, config=config)
    assert outcome.status is Status.DONE, outcome.note


def test_the_time_of_a_unit_of_cost_ignores_timeouts():
    seconds_per_count = load("live.setup").seconds_per_count
    assert seconds_per_count({"a": 2.0, "b": 3.0, "c": 9.0}, {"a": 10.0, "b": 10.0, "c": np.inf}) == 0.25


def test_the_time_of_a_unit_of_cost_needs_a_finished_run():
    with pytest.raises(SystemExit, match="all recorded runs of the default config timed out"):
        load("live.setup").seconds_per_count({"a": 2.0}, {"a": np.inf})
