"""Live tunings beside simulated ones: what is run, what is believed, and what is told."""

import csv
import importlib
import json
from pathlib import Path

import numpy as np
import pytest

from recordings import write_recording
from tightrope.records import Config, Status, Task, Trial
from tightrope.run import wait
from tightrope.run.executor import usable_cores

pytest.importorskip("matplotlib")
pytest.importorskip("pandas")
if usable_cores() < 2:
    pytest.skip("live tunings have two slots, and this is one core", allow_module_level=True)

NAME = "clasp-large-circuits"
ONE = ("--arms", "slack 1.3", "--untuned", "1")
SOLVER = """#!/bin/sh
# Counts to its first argument and says SAT.
i=0
while [ "$i" -lt "$1" ]; do i=$((i + 1)); done
echo "counted: $i"
exit 10
"""


def load(name):
    return importlib.import_module(name)


def draw(seed):
    return f'{{"size": [{seed % 10}, {2 * (seed % 10)}]}}'


@pytest.fixture(scope="module")
def recordings(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recordings")
    write_recording(folder / NAME)
    described = folder / NAME / "instances.csv"
    names = [line.split(",")[0] for line in described.read_text().splitlines()[1:]]
    lines = [
        f"{name},{'test' if int(name) >= 1000 else 'train'},SAT,{1.5 * (int(name) % 10)},{int(name) % 10 / 2}"
        for name in names
    ]
    described.write_text("\n".join(["name,use,answer,size_mean,size_spread", *lines]) + "\n")
    return folder


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "solver.sh"
    path.write_text(SOLVER)
    path.chmod(0o755)
    return load("lib.recording.program").Program(
        path=str(path),
        options=lambda config: [str(int(2000 * config["x"]))],
        limit="{}",
        first_limit=1,
        counter=r"counted: (\d+)",
    )


@pytest.fixture
def study(program, monkeypatch):
    module = load("lib.recording.studies")
    found = module.Study(
        solver=lambda: program,
        unit="steps",
        ceiling=100.0,
        parameters="clasp",
        draw=draw,
        answer=lambda _: "SAT",
        suffix="json",
    )
    monkeypatch.setitem(module.STUDIES, NAME, found)
    return found


@pytest.fixture
def command(study, recordings, tmp_path):
    places = ["--recordings", str(recordings), "--cache", str(recordings / "cache"), "--out", str(tmp_path)]
    return lambda *options: load("live").main([*places, "--budget", "8", "--scenarios", NAME, *ONE, *options])


def seeds(n):
    first = load("live").FIRST_SEED
    return [str(first + i) for i in range(n)]


def rows_in(folder, table="live.csv"):
    with (folder / table).open(newline="") as file:
        return list(csv.DictReader(file))


def test_a_tuning_is_made_live_and_simulated_and_judged_all_ways(command, tmp_path, capsys):
    command("--seeds", "1")
    (row,), (seed,) = rows_in(tmp_path), seeds(1)
    assert (row["arena"], row["plan"], row["arm"], row["seed"]) == (NAME, "8 runs", "slack 1.3", seed)
    for kind in ("live", "simulated"):
        assert all(float(row[f"{kind}_{judge}"]) > 0.0 for judge in ("by_clock", "by_count", "by_arena"))
        assert float(row[f"{kind}_share_spent"]) > 0.9
        assert int(row[f"{kind}_runs"]) >= 8
    assert row["live_failures"] == "0"
    text = (tmp_path / "live.md").read_text()
    assert f"\n| {NAME}, 8 runs | live | " in text
    assert f"\n| {NAME}, 8 runs | simulated | " in text
    assert f"{NAME}, 8 runs, slack 1.3, seed {seed}: live CPU time " in capsys.readouterr().out


def test_tunings_of_recorded_configs_keep_to_them(command, recordings, tmp_path):
    command("--seeds", "1", "--scenarios", f"{NAME}, recorded")
    (row,), (random,) = rows_in(tmp_path), rows_in(tmp_path, "live-untuned.csv")
    known = [json.loads(line) for line in (recordings / NAME / "configs.jsonl").read_text().splitlines()]
    found = [row["live_config"], row["simulated_config"], random["untuned_config"]]
    assert all(json.loads(each) in known for each in found)


def test_random_configs_are_judged_all_ways(command, tmp_path):
    command("--seeds", "1", "--untuned", "2")
    rows = rows_in(tmp_path, "live-untuned.csv")
    assert [row["seed"] for row in rows] == seeds(2)
    assert len({row["untuned_config"] for row in rows}) == 2
    assert all(float(row[f"untuned_by_{each}"]) > 0.0 for row in rows for each in ("clock", "count", "arena"))
    assert f"\n| {NAME} | random | 2 |  |  |  |" in (tmp_path / "live.md").read_text()


def test_the_comparison_goes_on_where_it_was(command, tmp_path, capsys):
    command("--seeds", "1")
    command("--seeds", "2")
    assert capsys.readouterr().out.count("1 of 1 jobs done") == 3  # two tunings and one random config
    assert [row["seed"] for row in rows_in(tmp_path)] == seeds(2)


@pytest.mark.parametrize("executor", ["LocalPool", "Virtual"])
def test_an_interrupted_tuning_is_no_result(executor, command, tmp_path, monkeypatch):
    module = load("live.measure")
    tune = module.tune

    def be_interrupted(scenario, **others):
        def interrupt(event):
            if type(event).__name__ == "Finished":
                raise KeyboardInterrupt

        is_it = type(others["executor"]).__name__ == executor
        return tune(scenario, **others, watch=interrupt if is_it else None)

    monkeypatch.setattr(module, "tune", be_interrupted)
    with pytest.raises(KeyboardInterrupt):
        command("--seeds", "1")
    assert not (tmp_path / "live.csv").exists()


def test_a_solver_that_is_missing_is_named_with_its_package(command, monkeypatch, capsys):
    monkeypatch.setattr("recording.program.shutil.which", lambda name: None)
    study, clasp = load("lib.recording.studies"), load("lib.recording.sat_solvers").clasp
    missing = load("dataclasses").replace(study.STUDIES[NAME], solver=clasp)
    monkeypatch.setitem(study.STUDIES, NAME, missing)
    with pytest.raises(SystemExit, match="nothing that could be run live"):
        command()
    assert f"without {NAME}: there is no program 'clasp': install Debian's" in capsys.readouterr().out


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
    with pytest.raises(SystemExit, match="a library and no program"):
        load("live.setup").find_program_of(NAME)


def test_tunings_side_by_side_are_refused(command, capsys):
    with pytest.raises(SystemExit):
        command("--processes", "2")
    assert "would slow each other down" in capsys.readouterr().err


def test_instances_that_were_not_recorded_are_refused(study, recordings, tmp_path):
    recording = load("lib.recording.files").read_recording(recordings / NAME)
    other = load("dataclasses").replace(study, draw=lambda seed: draw(seed + 1))
    with pytest.raises(SystemExit, match="instance 0 is not the one that was recorded"):
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
    assert "wrong answer: SAT, where UNSAT is expected" in outcome.note


def test_braces_in_a_path_are_just_braces(program):
    outcome = run_once(program, answer="UNSAT", path=Path("{seed}.json"))
    assert "solver.sh 200 '{seed}.json'" in outcome.note


@pytest.mark.parametrize("position", [0, 1])
def test_recorded_solvers_answer_as_recorded(position, tmp_path):
    name = load("lib.scenarios").study_of(load("live").SCENARIOS[position])
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


def test_runs_that_never_ended_do_not_tell_what_a_count_takes():
    tell = load("live.setup").seconds_per_count
    assert tell({"a": 2.0, "b": 3.0, "c": 9.0}, {"a": 10.0, "b": 10.0, "c": np.inf}) == 0.25


def test_without_any_run_that_ended_nothing_tells_what_a_count_takes():
    with pytest.raises(SystemExit, match="no recorded run of the default config has ended"):
        load("live.setup").seconds_per_count({"a": 2.0}, {"a": np.inf})


def row(arm, seed, live, simulated):
    """Two costs of each result: by the clock, and by the arena; the counter agrees with the clock."""
    costs = {
        f"{kind}_{judge}": cost
        for kind, (clock, arena) in (("live", live), ("simulated", simulated))
        for judge, cost in (("by_clock", clock), ("by_count", clock), ("by_arena", arena))
    }
    configs = {"live_config": str(live), "simulated_config": str(simulated)}
    taken = {"default_s": 0.02, "ceiling_s": 0.8, "live_runs": 9, "simulated_runs": 8, "live_wall_s": 3.0}
    key = {"arena": "a", "plan": "8 runs", "arm": arm, "seed": seed}
    return {**key, **costs, **configs, **taken, "live_failures": 1}


def test_arms_are_ordered_by_what_their_own_kind_of_judge_says():
    rows = [row("x", 1, (0.5, 0.9), (0.9, 0.3)), row("y", 1, (0.6, 0.1), (0.1, 0.2))]
    text = load("live.report").report(rows, [])
    assert "| a, 8 runs | live | 0.5 | 0.6 | x < y | 1 |" in text
    assert "| a, 8 runs | simulated | 0.3 | 0.2 | y < x | 1 |" in text
    assert "a, 8 runs: another order live and simulated" in text


def test_arms_that_differ_for_sure_are_told_with_both_p_values():
    rows = [row("x", i, (0.5, 0.9), (0.9, 0.3)) for i in range(5)]
    rows += [row("y", i, (0.4, 0.1), (0.1, 0.4)) for i in range(5)]
    lines = load("live.report").agreements(rows)
    assert lines[1:] == [
        "a, 8 runs: x is better than y, p = 0.002 simulated, 1 live",
        "a, 8 runs: y is better than x, p = 1 simulated, 0.002 live",
    ]


def test_medians_of_all_budgets_are_ranked_together():
    rows = [row(arm, 1, (cost, 0.9), (0.9, cost)) for arm, cost in (("x", 0.2), ("y", 0.3))]
    rows += [
        {**row(arm, 1, (cost, 0.9), (0.9, 1.0 - cost)), "plan": "9 runs"}
        for arm, cost in (("x", 0.4), ("y", 0.5))
    ]
    assert load("live.report").agreements(rows)[-1] == (
        "a: rank correlation of all 4 pairs of medians 0.80"
    )


def test_arms_that_cannot_be_told_apart_are_equal():
    order = load("live.report").order
    assert order({"y": np.array([0.5]), "x": np.array([0.5]), "z": np.array([0.4])}) == "z < x = y"


JUDGES = ("untuned_by_clock", "untuned_by_count", "untuned_by_arena")


def rank(rows, untuned=()):
    lines = load("live.report").rank_correlations(rows, untuned).splitlines()[2:]
    cells = [[each.strip() for each in line.split("|")] for line in lines]
    return {group: found for _, _, group, *found, _ in cells}


def test_a_config_that_was_found_twice_is_ranked_once():
    good, fair, poor = (0.3, 0.2), (0.4, 0.5), (0.6, 0.4)
    found = rank([row("x", 1, good, fair), row("x", 2, poor, good)])
    assert found["found either way"] == ["3", "0.50", "1.00", "0.50"]


def test_few_configs_are_not_ranked():
    found = rank([row("x", 1, (0.3, 0.2), (0.4, 0.5))])
    assert found["found live"] == ["1", "", "", ""]
    assert found["random"] == ["0", "", "", ""]


def test_random_configs_of_the_same_scenario_are_ranked():
    untuned = [
        {"arena": arena, "untuned_config": str(i), **dict.fromkeys(JUDGES, i + 1.0)}
        for arena in ("a", "b")
        for i in range(4)
    ]
    found = rank([row("x", 1, (0.3, 0.2), (0.4, 0.5))], untuned)
    assert found["random"] == ["4", "1.00", "1.00", "1.00"]


def test_failures_are_told():
    rows = [row("x", seed, (0.5, 0.9), (0.9, 0.3)) for seed in (1, 2)]
    assert "| a | 0.02 s | 0.8 s | 9 | 8 | 2 | 3 s |" in load("live.report").report(rows, [])
