"""The documentation lists all keys of a scenario, and the example of each key is valid."""

from pathlib import Path

import pytest

from tightrope.scenario import read_scenario
from tightrope.scenario.toml.keys import KEYS, Key, key_table

PAGE = Path(__file__).parents[4] / "docs" / "reference" / "scenario.md"
PARAMS = """\
[params]
alpha = { type = "real", range = [0, 1] }
mode = { type = "categorical", values = ["slow", "fast"] }
"""
NEEDED = {key.name: key.example for key in KEYS if key.is_required}
SETTINGS = {"instances": '"train/*.cnf"'}
BESIDES = {
    "answer": {"cost": '"cpu"'},
    "clock": {"cost": '"printed"', "time_limit": '"60s"', "ceiling": "300"},
    "time_limit": {"cost": '"printed"', "ceiling": "300"},
    "forbidden": {"params": ""},
    "default": {"params": ""},
    "candidates": {"params": ""},
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("train/a.cnf", "train/b.cnf", "test/c.cnf"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "build").mkdir()
    (tmp_path / "solver.pcs").write_text("alpha [0, 1][0.5]\n")
    (tmp_path / "features.csv").write_text("instance,x\na,1\nb,2\n")
    return tmp_path


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.name)
def test_the_example_of_a_key_is_read(folder: Path, key: Key) -> None:
    lines = {**NEEDED, **SETTINGS, **BESIDES.get(key.name, {}), key.name: key.example}
    text = "".join(f"{name} = {value}\n" for name, value in lines.items() if value)
    (folder / "scenario.toml").write_text(text + (PARAMS if not lines["params"] else ""))
    assert read_scenario(folder / "scenario.toml").target.command == NEEDED["command"].strip('"')


def test_the_page_has_the_table_of_all_keys() -> None:
    assert key_table() in PAGE.read_text(encoding="utf-8"), f"put this into {PAGE}:\n{key_table()}"
