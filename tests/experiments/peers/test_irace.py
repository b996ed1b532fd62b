"""The conversation with irace: its files, its requests and its end."""

import io
from importlib import import_module as load

import pytest
from ConfigSpace import ConfigurationSpace, EqualsCondition

from tightrope.records import Config

pytest.importorskip("matplotlib")
pytest.importorskip("pandas")


NAME = "cp-sat-knapsacks"


@pytest.fixture
def irace():
    return load("peers.with_irace")


def make_names(space):
    return load("peers.irace_files").IraceNames(space)


def meter(arena, budget):
    return load("peers.metered_solver").MeteredSolver(arena, budget, most_runs=200)


@pytest.fixture
def space():
    space = ConfigurationSpace({"a-kind": ["x=1", "NA"], "de pth": (1, 9), "rate": (0.00001, 0.5)})
    space.add(EqualsCondition(space["de pth"], space["a-kind"], "NA"))
    return space


def test_parameters_are_renamed_also_in_conditions_and_digits_are_separate(space):
    text, digits = make_names(space).parameters()
    assert text.splitlines() == [
        'p1 "--p1 " c ("x=1", "NA")',
        'p2 "--p2 " r (1e-05, 0.5)',
        'p3 "--p3 " i (1, 9) | p1 == "NA"',
    ]
    assert digits == 5


def test_inactive_parameters_of_the_initial_configuration_are_na(space):
    table = make_names(space).table({"a-kind": "x=1", "rate": 0.25})
    assert table.splitlines() == ["p1 p2 p3", '"x=1" "0.25" NA']


def test_values_are_read_back_as_configs_in_any_order(space):
    names = make_names(space)
    assert names.read(["p2=0.25", "p1=x=1"]) == Config({"a-kind": "x=1", "rate": 0.25})
    assert names.read(["p1=NA", "p3=4", "p2=1e-05"]) == Config({"a-kind": "NA", "de pth": 4, "rate": 1e-5})


def ask(irace, arena, *lines, budget=1e6, scale=10.0):
    answers = io.StringIO()
    names = make_names(arena.space.configspace)
    solver = meter(arena, budget)
    found = irace.answer((f"{each}\n" for each in lines), answers, names=names, solver=solver, scale=scale)
    return found, answers.getvalue().splitlines()


@pytest.fixture
def pairs(arena):
    names = make_names(arena.space.configspace)
    header, values = names.table(arena.default).splitlines()
    values = values.replace('"', "").split()
    pairs = zip(header.split(), values, strict=True)
    return "\t".join(f"{name}={value}" for name, value in pairs if value != "NA")


def test_a_run_is_answered_by_its_scaled_cost(irace, arena, pairs):
    found, said = ask(irace, arena, f"run\t3\t1000\t{pairs}", f"best\t{pairs}")
    assert found == arena.default
    assert [float(each) for each in said] == [pytest.approx(10.0 * arena.cost(arena.default, "3"))]


def test_a_capped_run_is_answered_by_the_text_of_the_bound(irace, arena, pairs):
    _, said = ask(irace, arena, f"run\t3\t1.07\t{pairs}", f"best\t{pairs}", scale=3.0)
    assert said == ["1.07"]


def test_a_run_beyond_the_budget_is_answered_by_spent(irace, arena, pairs):
    line = f"run\t3\t1000\t{pairs}"
    _, said = ask(irace, arena, line, line, f"best\t{pairs}", budget=1.0)
    assert said[1:] == ["spent"]


def test_irace_gives_up_with_its_reason(irace, arena):
    gave_up = load("peers.metered_solver").GaveUpError
    with pytest.raises(gave_up, match="Insufficient budget"):
        ask(irace, arena, "failed\tInsufficient budget")


def test_a_conversation_without_a_result_is_an_error(irace, arena, pairs):
    with pytest.raises(EOFError):
        ask(irace, arena, f"run\t3\t1000\t{pairs}")


@pytest.fixture
def with_r(irace):
    if not irace.is_installed():
        pytest.skip("needs R and irace: apt-get install r-cran-irace")


@pytest.mark.usefixtures("with_r")
def test_irace_is_deterministic_with_a_seed(irace, arena):
    budget = 40 * arena.train_cost(arena.default)
    found = [irace.tune_with_irace(arena, meter(arena, budget), seed=1) for _ in range(2)]
    assert found[0] == found[1]
    assert found[0]["kind"] == "fast"


@pytest.mark.usefixtures("with_r")
def test_irace_gives_up_if_no_race_is_affordable(irace, arena):
    gave_up = load("peers.metered_solver").GaveUpError
    with pytest.raises(gave_up, match="Insufficient budget"):
        irace.tune_with_irace(arena, meter(arena, 12 * arena.train_cost(arena.default)), seed=1)


@pytest.mark.usefixtures("with_r")
def test_the_end_of_the_output_of_r_is_shown_if_it_fails(irace, arena, tmp_path, monkeypatch):
    script = tmp_path / "irace.R"
    script.write_text(
        "folder <- commandArgs(trailingOnly = TRUE)[1]\n"
        'given <- read.csv(file.path(folder, "options.csv"))\n'
        'wire <- socketConnection("127.0.0.1", given$value[given$option == "port"], open = "r+")\n'
        'stop("out of memory")\n'
    )
    monkeypatch.setattr(irace, "_SCRIPT", script)
    with pytest.raises(irace.IraceError, match="out of memory"):
        irace.tune_with_irace(arena, meter(arena, 100.0), seed=1)
