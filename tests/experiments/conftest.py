"""Experiments are scripts, not a package: tests find them where they are."""

import importlib
from pathlib import Path

import pytest

from recordings import write_recording

RECORDED = "cp-sat-knapsacks"  # the name of what is invented


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
    scenarios = importlib.import_module("lib.scenarios")
    return scenarios.find_scenarios(recordings, cache=recordings / "cache").arenas[RECORDED]()
