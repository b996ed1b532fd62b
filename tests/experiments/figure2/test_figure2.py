"""The command of Figure 2."""

from importlib import import_module as load
from types import ModuleType

import numpy as np
import pytest

pytest.importorskip("matplotlib")


def test_principal_components_survive_missing_values_and_constant_columns():
    condense = load("figure2.recorded_runs").condense
    features = np.random.default_rng(0).normal(size=(30, 6))
    features[:, 2] = 1.0
    features[4, 3] = np.nan
    found = condense(features, 3)
    assert found.shape == (30, 3)
    assert np.all(np.diff(found.var(axis=0)) <= 0)
    np.testing.assert_allclose(np.corrcoef(found.T), np.eye(3), atol=1e-10)


@pytest.fixture
def small_figure2(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.delenv("TIGHTROPE_DATA", raising=False)
    figure2, synthetic = load("figure2.run"), load("lib.treatments.synthetic")
    monkeypatch.setattr(figure2, "SLACKS", (1.0, np.inf))
    sizes = {"n_instances": 3, "n_train": 60, "n_test": 20}
    monkeypatch.setattr(figure2, "make_problem", lambda _, seed: synthetic.make_problem(seed, **sizes))
    return figure2


def test_figure_2_prints_that_recorded_runs_are_missing(small_figure2, tmp_path, capsys):
    small_figure2.main(["--out", str(tmp_path), "--seeds", "1"])
    assert "TIGHTROPE_DATA is not set" in capsys.readouterr().out
    rows = load("lib.tables").read_rows(tmp_path / "figure2.csv")
    assert {row["data"] for row in rows} == {"synthetic-20"}


def test_figure_2_is_a_picture(small_figure2, tmp_path):
    small_figure2.main(["--out", str(tmp_path), "--seeds", "1"])
    assert (tmp_path / "figure2.png").read_bytes().startswith(b"\x89PNG")


def test_figure_2_resumes(small_figure2, tmp_path):
    small_figure2.main(["--out", str(tmp_path), "--seeds", "1"])
    first = (tmp_path / "figure2.csv").read_text()
    small_figure2.main(["--out", str(tmp_path), "--seeds", "2"])
    both = (tmp_path / "figure2.csv").read_text()
    assert both.startswith(first)
    assert len(both.splitlines()) == 2 * len(first.splitlines()) - 1
