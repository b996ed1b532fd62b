"""Regret of tunings: measures against a known truth, and the command."""

from importlib import import_module as load

import numpy as np
import pytest

from tightrope import TuneResult
from tightrope.records import Config, Incumbent, Outcome, Run, Status, Task, Trial
from tightrope.store.history import History

COSTS = np.array(
    [
        [4.0, 4.0, 4.0, 4.0],  # a, worst but one
        [1.0, 1.0, 2.0, 2.0],  # b, best
        [2.0, 2.0, 2.0, 2.0],  # c
        [9.0, np.inf, 9.0, 9.0],  # d, worst
    ]
)
NAMES = "abcd"


def _config(name):
    return Config({"name": name})


@pytest.fixture
def matrix():
    return load("lib.arenas.matrix").matrix_arena(
        "table",
        [{"name": name} for name in NAMES],
        COSTS,
        instances=["i0", "i1", "i2", "i3"],
        ceiling=10.0,
        rank=0.6,
    )


def _run(number, name, cost):
    trial = Trial(number, _config(name), cap=10.0, task=Task(f"i{number % 4}", 0))
    return Run(trial, Outcome(number, Status.DONE, cost=cost, spent=cost))


def _result(runs, incumbents):
    trajectory = [Incumbent(_config(name), 1.0, 1) for name in incumbents]
    nothing = dict.fromkeys(("wall_s", "reason", "against_default", "is_bound"))
    return TuneResult(
        best=dict(trajectory[-1].config),
        cost=1.0,
        spent=sum(run.outcome.spent for run in runs),
        history=History(runs),
        trajectory=trajectory,
        findings=(),
        n_tasks=2,
        **nothing,
    )


def test_the_default_has_the_rank_that_was_asked_for(matrix):
    assert matrix.default == _config("a")
    assert len(matrix.candidates) == 3
    assert matrix.features == {}


def test_half_of_the_instances_are_for_the_test(matrix):
    assert len(matrix.instances_train) == 2
    assert load("lib.arenas.matrix").split(9).sum() == 4


def test_costs_are_true_at_the_ceiling_of_the_arena(matrix):
    assert matrix.train_cost(_config("d")) + matrix.test_cost(_config("d")) == 0.5 * (9 + 10 + 9 + 9)


def test_the_best_config_that_was_run_is_compared_with_the_returned_one(matrix):
    runs = [_run(0, "a", 4.0), _run(1, "b", 1.0), _run(2, "c", 2.0)]
    found = load("regret.measure").measure(matrix, _result(runs, "c"))
    assert found["best_run_cost"] == matrix.train_cost(_config("b"))
    assert found["train_cost"] == matrix.train_cost(_config("c"))
    assert found["test_cost"] == matrix.test_cost(_config("c"))
    assert (found["n_runs"], found["n_configs"], found["n_tasks"]) == (3, 3, 2)


def test_long_runs_take_at_least_a_third_of_the_ceiling():
    history = History([_run(0, "a", 4.0), _run(1, "b", 1.0), _run(2, "c", 5.0)])
    assert load("regret.measure").long_share(history, ceiling=12.0) == pytest.approx(0.9)
    assert load("regret.measure").long_share(history, ceiling=30.0) == 0.0


@pytest.mark.parametrize(
    ("trajectory", "expected"),
    [("", (0, 0)), ("a", (0, 0)), ("ab", (0, 1)), ("d", (1, 1)), ("cdb", (1, 3)), ("abbc", (1, 2))],
)
def test_promotions_to_worse_configs_are_counted_from_the_default_on(matrix, trajectory, expected):
    incumbents = [Incumbent(_config(name), 1.0, 1) for name in trajectory]
    assert load("regret.measure").count_promotions(matrix, incumbents) == expected


def test_the_optimum_of_a_list_is_exact(matrix, tmp_path):
    assert load("regret.optimum").find_optimum(matrix, folder=tmp_path) == matrix.train_cost(_config("b"))
    assert list(tmp_path.iterdir()) == []


def test_the_optimum_of_a_space_is_searched_once(arena, tmp_path, monkeypatch):
    optimum = load("regret.optimum")
    monkeypatch.setattr(optimum, "_N_DRAWN", 50)
    found = optimum.find_optimum(arena, folder=tmp_path)
    drawn = [arena.space.decode(row) for row in arena.space.sample(50, np.random.default_rng(0))]
    assert found <= min(map(arena.train_cost, drawn))
    (path,) = tmp_path.iterdir()
    path.write_text("0.5")
    assert optimum.find_optimum(arena, folder=tmp_path) == 0.5


def _row(arm, seed, **others):
    row = {"arena": "one", "arm": arm, "seed": str(seed), "truth": "t", "optimum": "1.0"}
    row |= dict.fromkeys(("test_cost", "train_cost", "best_run_cost"), "2.0")
    row |= {"default_cost": "3.0", "long_share": "0.25", "n_worse_promotions": "1", "n_promotions": "4"}
    row |= {"n_runs": "100", "n_tasks": "8", "cpu_ms_a_run": "0.5"}
    return row | others


def _cells(line):
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_the_report_has_a_row_for_each_arm_and_one_over_all_arenas():
    rows = [_row("x", 0), _row("x", 1), _row("y", 0, test_cost="4.0"), _row("y", 1, test_cost="1.0")]
    lines = load("regret.report").report(rows, ["x", "y"]).splitlines()
    first, second = _cells(lines[2]), _cells(lines[3])
    assert "|".join(first) == "one|x|2|2|2|1.000|2.000|1.000|25%|2/8|0/2|100|8|0.50"
    assert second[:6] == ["one", "y", "2", "2.5", "2", "1.000"]
    assert second[10] == "1/2"
    assert [_cells(line)[:2] for line in lines[4:]] == [["all arenas", "x"], ["all arenas", "y"]]


def test_ratios_are_on_common_seeds():
    rows = [_row("x", 0), _row("x", 1), _row("y", 1, test_cost="4.0"), _row("y", 2, test_cost="9.0")]
    lines = load("regret.report").report(rows, ["x", "y"]).splitlines()
    assert _cells(lines[3])[5] == "2.000"


def test_each_arena_has_the_same_weight():
    rows = [_row(arm, seed) for arm in "xy" for seed in range(3)]
    rows += [_row("x", 0, arena="two"), _row("y", 0, arena="two", test_cost="8.0")]
    lines = load("regret.report").report(rows, ["x", "y"]).splitlines()
    assert _cells(lines[-1])[5].startswith("2.000 ")


def test_arenas_that_an_arm_has_not_tried_yet_are_left_out_of_the_total():
    rows = [_row("x", 0), _row("y", 0), _row("x", 0, arena="two", best_run_cost="9.0")]
    lines = load("regret.report").report(rows, ["x", "y"]).splitlines()
    assert _cells(lines[-2])[:3] == ["all arenas", "x", "1"]
    assert _cells(lines[-2])[6] == "2.000"


def test_a_better_config_than_the_search_found_is_the_optimum():
    rows = [_row("x", 0), _row("x", 1, best_run_cost="0.5"), _row("x", 2, arena="two", truth="u")]
    assert load("regret.report").find_optima(rows) == {"t": 0.5, "u": 1.0}


def test_a_working_ceiling_is_between_the_mean_and_the_ceiling(matrix):
    arms = load("regret.arms")
    mean = matrix.train_cost(matrix.default)
    assert arms.working_ceiling(matrix, 1.0) == min(matrix.ceiling, 3.0 * mean)
    assert arms.working_ceiling(matrix, 1e9) == matrix.ceiling
    assert arms.ARMS["bounded ceiling"](matrix, 1e9)["par"] == 1.0
    assert arms.ARMS["ceiling"](matrix, 1e9)["par"] == 2.75


@pytest.mark.parametrize("arm", ["now", "former", "paper", "ceiling", "bounded ceiling", "sketch", "default"])
def test_every_arm_tunes(arena, arm):
    settings = load("regret.arms").ARMS[arm](arena, 600.0)
    found = load("regret.measure").attempt(arena, settings, budget=600.0, slots=2, seed=0)
    assert found["best_run_cost"] <= found["train_cost"]
    assert found["n_runs"] > 5


def test_the_halves_have_arenas_of_all_kinds():
    entries = load("lib.arenas.registry").ENTRIES
    assert len({entry.name for entry in entries}) == len(entries)
    for half in ("choose", "judge"):
        slots = [entry.slots for entry in entries if entry.half == half]
        assert {1, 16} <= set(slots)


@pytest.fixture
def regret(monkeypatch, matrix):
    module, registry = load("regret.run"), load("lib.arenas.registry")
    entries = (
        registry.Entry("table", "choose", lambda recordings, cache: matrix, budget=20.0),
        registry.Entry(
            "absent", "choose", lambda recordings, cache: matrix, budget=20.0, needs="inputs/none"
        ),
        registry.Entry("other", "judge", lambda recordings, cache: matrix, budget=20.0),
    )
    monkeypatch.setattr(module, "ENTRIES", entries)
    module.find_arena.cache_clear()
    yield module
    module.find_arena.cache_clear()


def test_the_command_resumes(regret, tmp_path, capsys):
    options = ["--out", str(tmp_path), "--cache", str(tmp_path / "cache"), "--processes", "1"]
    regret.main([*options, "--seeds", "1", "--arms", "now"])
    regret.main([*options, "--seeds", "2", "--arms", "now", "former"])
    shown = capsys.readouterr().out
    assert "without absent: set the environment variable TIGHTROPE_DATA" in shown
    assert "3 of 3 jobs done" in shown
    assert shown.splitlines()[-1].startswith("| all arenas | former | 2 |")
    assert "| other |" not in shown


def test_the_report_tunes_nothing(regret, tmp_path, capsys):
    regret.main(["--out", str(tmp_path), "--report"])
    assert capsys.readouterr().out.splitlines()[-1] == "the table has no tuning of these"


def test_unknown_scenarios_are_named(regret):
    with pytest.raises(SystemExit, match="no such scenario: nothing; there are: table; absent; other"):
        regret.main(["--scenarios", "nothing"])
