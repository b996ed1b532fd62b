"""Every verb prints what it printed; `python tests/golden/transcript.py` writes that anew."""

from pathlib import Path

import pytest

from golden.transcript import transcript


def test_every_verb_prints_what_it_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    expected = (Path(__file__).parent / "transcript.txt").read_text().splitlines()
    assert list(transcript(tmp_path / "solver")) == expected
