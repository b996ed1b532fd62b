"""Recording solvers: what is asked of them, what is believed, and what is written down."""

import importlib
import json
import os
import signal
from dataclasses import dataclass, field, replace
from itertools import pairwise, permutations, product
from pathlib import Path

import numpy as np
import pytest

EXPERIMENTS = Path(__file__).parents[2] / "experiments"
COUNTING = """#!/bin/sh
# Counts ten for each unit of the limit $1, and answers SAT once it may count to $2.
[ "$1" -ge "$2" ] && { echo "counted: $((10 * $2))"; exit 10; }
echo "counted: $((10 * $1))"
"""
PCS = "x [0.1,10.0][1.0]l\nkind {slow,fast}[slow]\nwidth [1,9][2]i\nConditionals:\nwidth|kind in {fast}\n"


def load(name):
    return importlib.import_module(f"recording.{name}")


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
    result = load("result").SolverResult(answer, cost, cpu_s=0.1)
    assert load("result").judge(result, expected="SAT", ceiling=10.0) == outcome


def make_program(folder, *, script=COUNTING, first_limit=2):
    path = folder / "solver.sh"
    path.write_text(script)
    path.chmod(0o755)
    return load("program").Program(
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
def test_the_next_limit_would_do_if_costs_grew_with_it_but_is_neither_near_nor_far(cost, limit):
    assert load("program").raise_limit(100, cost, ceiling=100.0) == limit


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
        load("program").find_program("surely-not-installed", package="surely")


def test_flags_of_minisat_have_no_value():
    spelt = load("formula_solver").minisat_options({"luby": "no", "pre": "yes", "rfirst": 7})
    assert spelt == ["-no-luby", "-pre", "-rfirst=7"]


def test_the_parts_of_a_policy_of_clasp_follow_each_other():
    config = {"restart-unit": 64, "restarts": "x", "init-moms": "no", "restart-growth": 1.5, "otfs": "2"}
    spelt = load("formula_solver").clasp_options(config)
    assert spelt == ["--restarts=x,64,1.5", "--no-init-moms", "--otfs=2"]


def test_no_random_decision_of_clasp_is_the_lack_of_a_frequency():
    spell = load("formula_solver").clasp_options
    assert spell({"random": "no", "otfs": "1"}) == ["--otfs=1"]
    assert spell({"random": "yes", "rand-freq": 0.5}) == ["--rand-freq=0.5"]


def test_a_latin_square_has_each_value_once_in_each_line():
    from random import Random

    square = np.array(load("formula").draw_latin_square(Random(3), 9))
    for line in (*square, *square.T):
        assert sorted(line) == list(range(9))


def test_a_quasigroup_with_one_hole_has_one_solution():
    lines = load("formula").draw_quasigroup(1, order=5, n_holes=1).splitlines()
    assert lines[0].split()[:3] == ["p", "cnf", "1"]
    assert set(lines[1:]) == {"1 0"}


def test_the_same_seed_gives_the_same_formula():
    draw = load("formula").draw_threshold
    one, same, other = (draw(seed, n_variables=20, ratio=4.3) for seed in (1, 1, 2))
    assert one == same != other


def models(text):
    """Try all ways to give variables values; return those that satisfy the formula."""
    header, *lines = text.splitlines()
    clauses = [[int(word) for word in line.split()[:-1]] for line in lines]
    ways = product((False, True), repeat=int(header.split()[2]))
    return [way for way in ways if all(any(way[abs(v) - 1] == (v > 0) for v in c) for c in clauses)]


def test_names_are_shuffled_without_changing_what_a_formula_says():
    text = load("formula").draw_threshold(3, n_variables=8, ratio=3.0)
    shuffled = load("formula").shuffle_names(f"c a comment\n{text}", 5)
    assert shuffled != text
    assert sorted(map(sum, models(shuffled))) == sorted(map(sum, models(text)))
    assert models(text)


@pytest.mark.parametrize("seed", range(4))
def test_parities_cannot_be_satisfied(seed):
    text = load("parity").draw_parity(seed, n_vertices=6, n_chords=3, reach=3)
    assert text.startswith("p cnf 9 ")
    assert models(text) == []


def test_parities_can_be_satisfied_if_the_number_of_odd_vertices_is_even():
    ring = [(0, 1), (1, 2), (2, 0)]
    found = models(load("parity").parity_formula(ring, [True, True, False]))
    assert found == [(False, True, True), (True, False, False)]


@pytest.mark.parametrize("seed", range(3))
def test_the_shortest_trip_is_that_of_all_orders_of_towns(seed):
    text = load("tour").draw_cities(seed, n_cities=6)
    way = json.loads(text)["way"]
    trips = ((0, *order, 0) for order in permutations(range(1, 6)))
    lengths = [sum(way[i][j] for i, j in pairwise(trip)) for trip in trips]
    assert load("tour").optimal_tour(text) == str(min(lengths))


def test_a_knapsack_is_packed_best():
    text = '{"value": [6, 10, 12], "weight": [[1, 2, 3], [1, 1, 1]], "capacity": [5, 2]}'
    assert load("knapsack").optimal_packing(text) == "22"


@pytest.mark.parametrize(
    ("problem", "draw", "answer"),
    [
        (
            "knapsacks",
            lambda: load("knapsack").draw_knapsack(1, n_items=6, n_limits=2),
            "knapsack.optimal_packing",
        ),
        ("lot_sizing", lambda: load("lot_sizing").draw_plant(1, n_periods=5), "lot_sizing.optimal_plan"),
        ("tours", lambda: load("tour").draw_cities(1, n_cities=6), "tour.optimal_tour"),
    ],
)
def test_cp_sat_finds_what_is_known_to_be_best(problem, draw, answer, tmp_path):
    pytest.importorskip("ortools")
    (tmp_path / "it.json").write_text(draw())
    module, function = answer.split(".")
    library = getattr(load("cp_sat"), f"cp_sat_on_{problem}")()
    result = library.solve({"linearization_level": 2}, tmp_path / "it.json", ceiling=1.0)
    library.close()
    assert result.answer == getattr(load(module), function)(draw())
    assert 0.0 < result.cost < 1.0


def test_features_of_a_formula_are_counted():
    found = load("feature").measure_features("c x\np cnf 3 2\n1 -2 0\n1 2 3 0\n")
    assert (found["variables"], found["clauses"], found["share_of_binary"]) == (3.0, 2.0, 0.5)


def answer_or_die(problem, config, ceiling):
    if config.get("deadly"):
        os.kill(os.getpid(), signal.SIGKILL)
    if config.get("faulty"):
        raise ValueError("unheard of")
    return "5", 0.25


@pytest.fixture
def library(tmp_path):
    (tmp_path / "problem.json").write_text("{}")
    found = load("child").Library(answer_or_die)
    yield lambda **config: found.solve(config, tmp_path / "problem.json", ceiling=1.0)
    found.close()


def test_a_library_that_crashes_is_started_anew(library):
    assert [library(deadly=1).answer, library().answer] == ["it crashes", "5"]


def test_errors_of_ours_are_no_failures_of_the_solver(library):
    with pytest.raises(ValueError, match="unheard of"):
        library(faulty=1)


@dataclass
class Invented:
    """Costs x times the instance's number; wrong answers of fast configs on instance 1."""

    runs: list[tuple[float, str]] = field(default_factory=list)

    def solve(self, config, instance, *, ceiling):
        self.runs.append((config["x"], instance.stem))
        is_wrong = config["kind"] == "fast" and instance.stem == "1"
        cost = config["x"] * (1 + int(instance.stem) % 100)
        return load("result").SolverResult("no" if is_wrong else "yes", cost, cpu_s=cost / 100)


@pytest.fixture
def study(tmp_path, monkeypatch):
    module = load("study")
    monkeypatch.setattr(module, "_PARAMETERS", tmp_path)
    (tmp_path / "invented.pcs").write_text(PCS)
    invented = Invented()
    return module.Study(
        solver=lambda: invented,
        unit="steps",
        ceiling=20.0,
        parameters="invented",
        draw=lambda seed: f'{{"size": [{seed}]}}',
        answer=lambda _: "yes",
        suffix="json",
    )


def record(study, folder, *, n_configs=30, n_instances=8, at_most=None):
    machine = load("machine")
    machine.prepare(study, folder, n_configs=n_configs, n_instances=n_instances)
    scratch = folder / "scratch"
    scratch.mkdir(exist_ok=True)
    for n_done, _ in enumerate(machine.record(study, folder, scratch=scratch), start=1):
        if n_done == at_most:
            break
    return load("recording").read_recording(folder)


def test_every_config_is_recorded_on_every_instance(study, tmp_path):
    recording = record(study, tmp_path / "new")
    assert recording.is_complete
    assert recording.costs.shape == (31, 8)
    assert recording.configs[0] == {"x": 1.0, "kind": "slow"}
    assert recording.is_test.tolist() == [False] * 4 + [True] * 4
    assert recording.costs[0].tolist() == [1.0, 2.0, 3.0, 4.0] * 2


def test_some_configs_may_be_variations_of_the_default(study, tmp_path):
    configs = record(replace(study, varied=0.5), tmp_path / "new").configs
    assert configs == record(replace(study, varied=0.5), tmp_path / "again").configs
    assert len(set(configs)) == 31
    default, varied = configs[0], configs[16:]
    assert any(each["x"] == default["x"] for each in varied)  # which chance would hardly do
    assert record(study, tmp_path / "random").configs[1:16] == configs[1:16]


def test_timeouts_and_wrong_answers_never_end(study, tmp_path):
    recording = record(study, tmp_path / "new")
    fast = np.array([config["kind"] == "fast" for config in recording.configs])
    assert recording.failed[:, 1].tolist() == fast.tolist()
    assert np.isinf(recording.costs[fast, 1]).all()
    slow = recording.costs[~fast]
    assert slow[np.isfinite(slow)].max() < 20.0
    assert np.isinf(slow).any()


def test_a_recording_goes_on_where_it_was(study, tmp_path):
    part = record(study, tmp_path / "new", at_most=3)
    assert not part.is_complete
    whole = record(study, tmp_path / "new")
    assert whole.is_complete
    assert len(study.solver().runs) == len(set(study.solver().runs)) == 31 * 8


def test_a_line_that_was_not_written_to_its_end_is_recorded_again(study, tmp_path):
    record(study, tmp_path / "new", at_most=2)
    runs = tmp_path / "new" / "runs.csv"
    runs.write_text(runs.read_text()[:-9])
    assert record(study, tmp_path / "new").is_complete


def test_a_recording_is_given_more_instances_and_keeps_what_it_has(study, tmp_path):
    few = record(study, tmp_path / "new")
    many = record(study, tmp_path / "new", n_instances=12)
    assert many.is_complete
    assert many.costs.shape == (31, 12)
    assert many.configs == few.configs
    assert set(few.instances) < set(many.instances)
    assert many.is_test.tolist() == [False] * 6 + [True] * 6
    assert len(study.solver().runs) == len(set(study.solver().runs)) == 31 * 12


def test_what_was_recorded_with_another_ceiling_is_not_gone_on_with(study, tmp_path):
    record(study, tmp_path / "new", at_most=2)
    with pytest.raises(SystemExit, match="another ceiling"):
        record(replace(study, ceiling=30.0), tmp_path / "new")


def test_a_packed_recording_reads_the_same(study, tmp_path):
    before = record(study, tmp_path / "new")
    packed = load("recording").pack(tmp_path / "new", tmp_path / "kept" / "new")
    after = load("recording").read_recording(tmp_path / "kept" / "new")
    assert packed == tmp_path / "kept" / "new" / "runs.csv.gz"
    assert after.costs.tolist() == before.costs.tolist()


def test_the_command_packs_what_is_complete_and_records_it_only_once(study, tmp_path, monkeypatch, capsys):
    command = importlib.import_module("record")
    monkeypatch.setattr(command, "STUDIES", {"invented": study})
    places = ["--folder", str(tmp_path / "growing"), "--recordings", str(tmp_path / "kept")]
    for _ in range(2):
        command.main(["invented", *places, "--configs", "3", "--instances", "4"])
    said = capsys.readouterr().out
    assert said.count("4 of 4 configs on 4 instances") == 2
    assert said.count("wrote ") == 1
    assert len(study.solver().runs) == 16


def test_the_command_adds_instances_to_what_is_packed(study, tmp_path, monkeypatch, capsys):
    command = importlib.import_module("record")
    monkeypatch.setattr(command, "STUDIES", {"invented": study})
    for n_instances, growing in ((4, "one"), (8, "other")):
        places = ["--folder", str(tmp_path / growing), "--recordings", str(tmp_path / "kept")]
        command.main(["invented", *places, "--configs", "3", "--instances", str(n_instances)])
    assert "4 of 4 configs on 8 instances" in capsys.readouterr().out
    assert len(study.solver().runs) == 32


def test_a_recording_is_described(study, tmp_path):
    text = importlib.import_module("record").describe(record(study, tmp_path / "new"))
    assert "31 of 31 configs on 8 instances" in text
    assert "mean steps: default 2.5" in text


@pytest.mark.parametrize("name", ["minisat", "clasp", "cadical", "kissat", "kissat-wide", "cp-sat", "highs"])
def test_every_space_has_conditions_and_log_scales(name):
    from tightrope.scenario.pcs.read import read_pcs
    from tightrope.space import Space

    space = Space(read_pcs(EXPERIMENTS / "recording" / "parameters" / f"{name}.pcs"))
    assert space.is_parent.any()
    assert space.columns.scale.is_log.any()


def test_a_complete_recording_becomes_an_arena(study, tmp_path):
    recording = record(study, tmp_path / "new")
    recorded = load("recorded").as_cost_table(recording, name="invented")
    arena = importlib.import_module("lib.arena.arena").recorded_arena(recorded)
    assert arena.instances_train == ("0", "1", "2", "3")
    assert recorded.offsets == {"x": 0.0}
    assert arena.cost(recording.configs[0], "1002") == 3.0


def test_what_is_shipped_is_complete_and_small():
    folders = sorted((EXPERIMENTS / "recordings").iterdir())
    recordings = {folder.name: load("recording").read_recording(folder) for folder in folders}
    for name, recording in recordings.items():
        n_instances = 60 if "-large-" in name else 120
        assert recording.is_complete
        assert recording.costs.shape == (206, n_instances)
        assert recording.is_test.sum() == n_instances // 2
    assert sum(file.stat().st_size for folder in folders for file in folder.iterdir()) < 5e6


def test_what_is_shipped_is_what_its_study_would_record():
    for folder in (EXPERIMENTS / "recordings").iterdir():
        study = load("study").STUDIES[folder.name]
        assert (folder / "parameters.pcs").read_text() == study.parameter_file.read_text()
        recording = load("recording").read_recording(folder)
        assert (recording.unit, recording.ceiling) == (study.unit, study.ceiling)
        features = load("feature").measure_features(study.draw(int(recording.instances[0])))
        assert recording.features[0].tolist() == list(features.values())


def test_every_recording_that_is_shipped_has_a_budget():
    budgets = importlib.import_module("lib.budgets").BUDGETS
    assert {folder.name for folder in (EXPERIMENTS / "recordings").iterdir()} < set(budgets)


def test_a_surrogate_is_found_though_a_step_of_the_search_goes_too_far():
    rng = np.random.default_rng(8)
    X = np.hstack([rng.random((12, 2)), rng.integers(0, 3, (12, 1))])
    scores = rng.normal(size=(24, 1))[12:]
    fit = importlib.import_module("lib.surrogate.smoother").fit_smoother  # overflow would be an error
    assert np.isfinite(fit(X, scores, n_values=np.array([3])).coefficients).all()
