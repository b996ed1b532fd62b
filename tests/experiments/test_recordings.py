"""The recordings of the repository."""

from importlib import import_module as load
from pathlib import Path

import pytest

EXPERIMENTS = Path(__file__).parents[2] / "experiments"


@pytest.mark.parametrize("name", ["minisat", "clasp", "cadical", "kissat", "kissat-wide", "cp-sat", "highs"])
def test_every_space_has_conditions_and_log_scales(name):
    from tightrope.scenario.pcs.read import read_pcs
    from tightrope.space import Space

    space = Space(read_pcs(EXPERIMENTS / "lib" / "recording" / "parameters" / f"{name}.pcs"))
    assert space.is_parent.any()
    assert space.columns.scale.is_log.any()


def test_recordings_are_complete_and_small():
    folders = sorted((EXPERIMENTS / "recordings").iterdir())
    recordings = {folder.name: load("lib.recording.files").read_recording(folder) for folder in folders}
    for name, recording in recordings.items():
        n_instances = 60 if "-large-" in name else 120
        assert recording.is_complete
        assert recording.costs.shape == (206, n_instances)
        assert recording.is_test.sum() == n_instances // 2
    assert sum(file.stat().st_size for folder in folders for file in folder.iterdir()) < 5e6


def test_recordings_agree_with_their_studies():
    for folder in (EXPERIMENTS / "recordings").iterdir():
        study = load("lib.recording.studies").STUDIES[folder.name]
        assert (folder / "parameters.pcs").read_text() == study.parameter_file.read_text()
        recording = load("lib.recording.files").read_recording(folder)
        assert (recording.unit, recording.ceiling) == (study.unit, study.ceiling)
        features = load("lib.recording.features").measure_features(study.draw(int(recording.instances[0])))
        assert recording.features[0].tolist() == list(features.values())


def test_every_recording_has_a_budget():
    budgets = load("lib.budgets").BUDGETS
    assert {folder.name for folder in (EXPERIMENTS / "recordings").iterdir()} < set(budgets)
