"""The reference page of the command line, and shell completion."""

import re
from pathlib import Path

import pytest

from tightrope.cli.main import run
from tightrope.cli.reference import reference
from tightrope.cli.verbs import VERBS

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "cli.md"


def test_the_page_is_the_help_of_the_verbs() -> None:
    """If not: python -m tightrope.cli.reference > docs/reference/cli.md."""
    assert PAGE.read_text(encoding="utf-8") == reference()


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_a_section_and_the_common_options(verb: str) -> None:
    _, _, section = reference().partition(f"\n## {verb}\n")
    help_text, _, _ = section.partition("\n## ")
    assert f"Usage: tightrope {verb} " in help_text
    for option in ("-q, --quiet", "-v, --verbose", "--json", "--no-color", "-h, --help"):
        assert option in help_text


def completions(words: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the completions that bash gets for the last word."""
    monkeypatch.setenv("_TIGHTROPE_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split(" ")) - 1))
    with pytest.raises(SystemExit):
        run([])
    return capsys.readouterr().out.splitlines()


def test_verbs_are_completed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert completions("tightrope stat", capsys, monkeypatch) == ["plain,status"]


def test_options_are_completed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert completions("tightrope status --w", capsys, monkeypatch) == ["plain,--watch"]


def test_folders_are_completed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert completions("tightrope resume ru", capsys, monkeypatch) == ["dir,ru"]


def test_formats_are_completed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert completions("tightrope best --format j", capsys, monkeypatch) == ["plain,json"]


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_shows_an_example(verb: str) -> None:
    _, _, section = reference().partition(f"\n## {verb}\n")
    text, _, _ = section.partition("\nOptions:")
    assert re.search(rf"^ +tightrope {verb}\b", text, re.MULTILINE)
