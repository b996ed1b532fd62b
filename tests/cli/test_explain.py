"""The verb explain."""

import json

import pytest

from tightrope.cli.main import Exit, run
from tightrope.findings import CATALOGUE


def test_code_is_explained_with_a_remedy(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "B02"]) == Exit.DONE
    printed = capsys.readouterr().out
    assert printed.startswith("B02: the budget allows only a few runs")
    assert "What to do: " in printed


@pytest.mark.parametrize("spelling", ["b02", "[B02]"])
def test_code_may_be_written_as_it_is_shown(spelling: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", spelling]) == Exit.DONE
    assert capsys.readouterr().out.startswith("B02:")


def test_unknown_code_comes_with_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "B22"]) == Exit.USAGE
    assert "Did you mean B02?" in capsys.readouterr().err


def test_without_a_code_all_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    run(["explain"])
    printed = capsys.readouterr().out
    assert [code for code in CATALOGUE if f"  {code}  " not in printed] == []


def test_programs_get_json(capsys: pytest.CaptureFixture[str]) -> None:
    run(["explain", "T01", "--json"])
    assert json.loads(capsys.readouterr().out)["title"] == CATALOGUE["T01"].title
