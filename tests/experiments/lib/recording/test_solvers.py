"""Solvers that are recorded: programs, libraries and their options."""

import os
import signal
from importlib import import_module as load
from pathlib import Path

import pytest

COUNTING = """#!/bin/sh
# Counts ten for each unit of the limit $1, and answers SAT once it may count to $2.
[ "$1" -ge "$2" ] && { echo "counted: $((10 * $2))"; exit 10; }
echo "counted: $((10 * $1))"
"""


@pytest.mark.parametrize(
    ("answer", "cost", "outcome"),
    [
        ("SAT", 9.0, "done"),
        ("SAT", 10.0, "timeout"),
        (None, 12.0, "timeout"),
        ("UNSAT", 1.0, "failed"),
        ("exit code 139", 0.0, "failed"),
    ],
)
def test_only_a_true_answer_below_the_ceiling_counts(answer, cost, outcome):
    result = load("lib.recording.result").SolverResult(answer, cost, cpu_s=0.1)
    assert load("lib.recording.result").classify(result, expected="SAT", ceiling=10.0) == outcome


def make_program(folder, *, script=COUNTING, first_limit=2):
    path = folder / "solver.sh"
    path.write_text(script)
    path.chmod(0o755)
    return load("lib.recording.program").Program(
        path=str(path),
        options=lambda config: [],
        limit="{}",
        first_limit=first_limit,
        counter=r"counted: (\d+)",
    )


def test_a_limit_is_raised_until_there_is_an_answer(tmp_path):
    result = make_program(tmp_path).solve({}, Path("13"), ceiling=1000.0)
    assert (result.answer, result.cost) == ("SAT", 130.0)


def test_a_limit_is_raised_until_the_ceiling_is_reached(tmp_path):
    result = make_program(tmp_path).solve({}, Path("1000"), ceiling=100.0)
    assert (result.answer, result.cost) == (None, 120.0)


@pytest.mark.parametrize(
    ("cost", "limit"),
    [(50.0, 240), (90.0, 200), (2.0, 1600), (0.0, 1600)],
)
def test_the_next_limit_is_proportional_to_the_cost_within_bounds(cost, limit):
    assert load("lib.recording.program").raise_limit(100, cost, ceiling=100.0) == limit


def test_a_limit_of_the_cost_itself_is_the_ceiling(tmp_path):
    result = make_program(tmp_path, first_limit=None).solve({}, Path("1000"), ceiling=7.0)
    assert (result.answer, result.cost) == (None, 70.0)


def test_a_crash_is_no_answer(tmp_path):
    program = make_program(tmp_path, script="#!/bin/sh\necho counted: 3\nexit 139\n")
    assert program.solve({}, Path("1"), ceiling=100.0).answer == "exit code 139"


def test_an_answer_without_counters_is_no_answer(tmp_path):
    program = make_program(tmp_path, script="#!/bin/sh\nexit 10\n")
    assert program.solve({}, Path("1"), ceiling=100.0).answer == "exit code 10"


def test_a_missing_program_is_named_with_its_package():
    with pytest.raises(SystemExit, match="install Debian's package 'surely'"):
        load("lib.recording.program").find_program("surely-not-installed", package="surely")


def test_flags_of_minisat_have_no_value():
    words = load("lib.recording.sat_solvers").minisat_options({"luby": "no", "pre": "yes", "rfirst": 7})
    assert words == ["-no-luby", "-pre", "-rfirst=7"]


def test_the_parts_of_a_policy_of_clasp_follow_each_other():
    config = {"restart-unit": 64, "restarts": "x", "init-moms": "no", "restart-growth": 1.5, "otfs": "2"}
    words = load("lib.recording.sat_solvers").clasp_options(config)
    assert words == ["--restarts=x,64,1.5", "--no-init-moms", "--otfs=2"]


def test_no_random_decision_of_clasp_is_the_lack_of_a_frequency():
    options = load("lib.recording.sat_solvers").clasp_options
    assert options({"random": "no", "otfs": "1"}) == ["--otfs=1"]
    assert options({"random": "yes", "rand-freq": 0.5}) == ["--rand-freq=0.5"]


def answer_or_die(problem, config, ceiling):
    if config.get("deadly"):
        os.kill(os.getpid(), signal.SIGKILL)
    if config.get("faulty"):
        raise ValueError("no such parameter")
    return "5", 0.25


@pytest.fixture
def library(tmp_path):
    (tmp_path / "problem.json").write_text("{}")
    found = load("lib.recording.library").Library(answer_or_die)
    yield lambda **config: found.solve(config, tmp_path / "problem.json", ceiling=1.0)
    found.close()


def test_a_library_that_crashes_is_restarted(library):
    assert [library(deadly=1).answer, library().answer] == ["it crashes", "5"]


def test_errors_of_ours_are_no_failures_of_the_solver(library):
    with pytest.raises(ValueError, match="no such parameter"):
        library(faulty=1)
