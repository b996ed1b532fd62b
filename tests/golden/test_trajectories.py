"""Whole runs are what they were; `python tests/golden/record.py` records them anew."""

from pathlib import Path

import pytest

from golden.trajectories import TRAJECTORIES, Writer

_FOLDER = Path(__file__).parent
_DIGITS = 9  # more may differ between machines


@pytest.mark.filterwarnings("ignore:config:UserWarning")
@pytest.mark.parametrize("name", TRAJECTORIES)
def test_a_trajectory_is_what_it_was(name: str, tmp_path: Path) -> None:
    found = list(TRAJECTORIES[name](Writer(_DIGITS), tmp_path))
    assert found == (_FOLDER / f"{name}.txt").read_text().splitlines()
