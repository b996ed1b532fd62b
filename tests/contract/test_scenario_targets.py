"""What was read from a scenario file can be run, wherever we are."""

from pathlib import Path

import pytest

from tightrope.records import Config, Status, Task, Trial
from tightrope.run import wait
from tightrope.scenario import read_scenario

SOLVER = """#!/bin/sh
# Succeeds if it is told of an instance that is there, a seed and a parameter.
test -f "$2" && test "$1" = 7 && test "$3" = --x=0.5
"""
WRAPPER = """#!/bin/sh
test -f "$1" && test "$2" = SAT && test "$5" = 7 && test "$6" = -x && echo "Result for SMAC: SAT, 0, 0, 0, $5"
"""
RUNNER = """#!/bin/sh
test -f "$4" && test "$3" = 7 && test "$6" = --x && echo "0.01 0.01"
"""
SCENARIOS = {
    "scenario.toml": """
        command = "./solver {seed} {instance} {parameters}"
        instances = "inst/*"
        ceiling = "10s"
        budget = { runs = 1 }
        params.x = { type = "real", range = [0, 1] }
    """,
    "aclib.txt": """
        algo = ./wrapper
        paramfile = x.pcs
        cutoff_time = 10
        runcount-limit = 1
        instance_file = names.txt
    """,
    "irace.txt": """
        targetRunner = "./runner"
        parameterFile = "x.txt"
        trainInstancesDir = "inst"
        boundMax = 10
        maxExperiments = 1
    """,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, script in {"solver": SOLVER, "wrapper": WRAPPER, "runner": RUNNER}.items():
        (tmp_path / name).write_text(script)
        (tmp_path / name).chmod(0o755)
    files = {
        "inst/a b": "",
        "x.pcs": "x [0, 1][0.5]\n",
        "x.txt": 'x "--x " r (0, 1)\n',
        "names.txt": "inst/c SAT\n",
        "inst/c": "",
        **SCENARIOS,
    }
    (tmp_path / "inst").mkdir()
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_command_of_a_scenario_is_run(folder: Path, name: str) -> None:
    scenario = read_scenario(folder / name)
    trial = Trial(0, Config({"x": 0.5}), cap=10.0, task=Task(scenario.instances[0], 7))
    outcome = wait(scenario.target.start(trial))
    assert outcome.status is Status.DONE, outcome.note
