"""Experiments are scripts, not a package: tests put their folder on the path."""

from importlib import import_module as load
from pathlib import Path

import numpy as np
import pytest

from recordings import write_recording

RECORDED = "cp-sat-knapsacks"  # the name of the invented recording
SPEAR_PCS = """
sp-var-dec-heur {0,1,2}[0]
sp-resolution {0,1}[1]
sp-restart-inc [1.1,1.9][1.5]
sp-first-restart [25,3200][100]
sp-rand-var-dec-freq [0,0.05][0.001]

Conditionals:
sp-first-restart|sp-resolution in {1}
"""


@pytest.fixture(autouse=True)
def _find_experiments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "experiments"))
    monkeypatch.delenv("TIGHTROPE_DATA", raising=False)


@pytest.fixture(scope="module")
def recordings(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recordings")
    write_recording(folder / RECORDED)
    return folder


@pytest.fixture
def arena(recordings):
    scenarios = load("lib.scenarios").find_scenarios(recordings, cache=recordings / "cache")
    return scenarios.arenas[RECORDED]()


def _write_spear(folder, *, n_configs=60, n_instances=12):
    """Write files like the recorded ones: costs grow with the first parameter, some runs time out."""
    folder.mkdir()
    rng = np.random.default_rng(0)
    (folder / "spear.pcs").write_text(SPEAR_PCS)
    heuristic, resolution = rng.integers(3, size=n_configs), rng.integers(2, size=n_configs)
    increase = rng.uniform(1.1, 1.9, n_configs).round(6)
    lines = ["config,sp-var-dec-heur,sp-resolution,sp-restart-inc,sp-first-restart,sp-rand-var-dec-freq"]
    for i in range(n_configs):
        lines.append(f"c{i},{heuristic[i]},{resolution[i]},{increase[i]},400,0.01")
    (folder / "configs.csv").write_text("\n".join(lines) + "\n")
    hardness = np.linspace(-3.5, 0.5, n_instances)
    log = hardness[:, None] + heuristic + increase + rng.normal(0.0, 0.1, (n_instances, n_configs))
    seconds = np.where(log > np.log10(300.0), 300.1, 10.0**log)
    names = [f"i{i}.cnf" for i in range(n_instances)]
    _write_table(folder / "runtimes.csv.gz", names, [f"c{i}" for i in range(n_configs)], seconds)
    _write_table(folder / "features.csv.gz", names, ["f0", "f1"], rng.normal(size=(n_instances, 2)))
    _write_table(folder / "default.csv", names, ["default_runtime"], 10.0 ** (hardness[:, None] + 1.5))
    return folder


def _write_table(path, names, columns, values):
    import pandas

    pandas.DataFrame(values, index=names, columns=columns).to_csv(path, index_label="instance")


@pytest.fixture(scope="module")
def spear_folder(tmp_path_factory):
    return _write_spear(tmp_path_factory.mktemp("data") / "spear-swv")


@pytest.fixture
def spear_table(spear_folder):
    return load("lib.spear").read_spear(spear_folder)


@pytest.fixture
def spear_arena(spear_folder, monkeypatch):
    monkeypatch.setenv("TIGHTROPE_DATA", str(spear_folder.parent))
    return lambda kind: load("lib.spear").spear_arena(kind, folder=spear_folder.parent / "cache")
