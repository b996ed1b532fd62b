"""Arenas of tables that others recorded."""

import gzip
from importlib import import_module as load

import pytest

from tightrope.records import Config


def test_inputs_are_a_list_of_configs_with_an_imposed_ceiling(tmp_path):
    (tmp_path / "configs.csv").write_text("config,level,mode\nc0,1,None\nc1,2,fast\nc2,2,None\n")
    runs = "instance,c1,c0,c2\n" + "".join(f"i{i},{i + 1},5,9\n" for i in range(4))
    (tmp_path / "runtimes.csv.gz").write_bytes(gzip.compress(runs.encode()))
    arena = load("lib.arenas.inputs").inputs_arena(tmp_path, ceiling=8.0, rank=0.5)
    assert arena.default == Config({"level": "1", "mode": "None"})
    assert arena.train_cost(Config({"level": "2", "mode": "None"})) == 8.0
    assert sum(arena.cost(Config({"level": "2", "mode": "fast"}), f"i{i}") for i in range(4)) == 10.0
    assert arena.resolution == 1.0


@pytest.fixture
def aslib_folder(tmp_path):
    runs = ["@RELATION runs", "@DATA"]
    for i in range(8):
        runs += [f"i{i},1,quick,{0 if i else 2},ok", f"i{i},1,slow,7,ok", f"i{i},1,broken,3,memout "]
    features = ["@RELATION features", "@DATA", *(f"i{i},1,{i},?,5" for i in range(8))]
    for name, lines in (("algorithm_runs", runs), ("feature_values", features)):
        (tmp_path / f"{name}.arff.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    return tmp_path


def test_solvers_are_configs_and_runs_without_an_answer_never_end(aslib_folder):
    arena = load("lib.arenas.aslib").aslib_arena(aslib_folder, ceiling=10.0, rank=0.5)
    assert arena.default == Config({"solver": "slow"})
    assert arena.cost(Config({"solver": "broken"}), "i3") == float("inf")
    assert arena.train_cost(Config({"solver": "broken"})) == 10.0
    assert arena.cost(Config({"solver": "quick"}), "i3") == 0.005


def test_features_that_are_constant_are_left_out(aslib_folder):
    arena = load("lib.arenas.aslib").aslib_arena(aslib_folder, ceiling=10.0, rank=0.5)
    assert arena.features == {name: [float(name[1:])] for name in arena.instances_train}
