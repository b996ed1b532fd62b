"""Text is made visible before a terminal sees it."""

import io
import sys
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.live import Live
from rich.table import Table
from rich.text import Text

from tightrope.cli.terminal.console import VisibleConsole
from tightrope.cli.terminal.output import one_line, say_error, visible, write_result

EVIL = "\x1b]0;title\x07\x1b[8m\x9b31m\u202e\rEVIL[bold]\udcff"
SHOWN = "\\x1b]0;title\\x07\\x1b[8m\\u009b31m\\u202e\\rEVIL[bold]\\xff"


@given(st.text(st.characters()))
def test_nothing_that_a_terminal_obeys_is_left(text: str) -> None:
    assert {each for each in visible(text) if category(each) in ("Cc", "Cf", "Cs", "Zl", "Zp")} <= {
        "\n",
        "\t",
    }
    assert "\n" not in one_line(text)
    assert visible(visible(text)) == visible(text)


@pytest.mark.parametrize("text", ["plain", "Größe 3 µs", "日本語", "a\n\tb", "\N{GRINNING FACE}"])
def test_other_text_stays_as_it_is(text: str) -> None:
    assert visible(text) == text


def test_a_line_break_of_windows_is_a_line_break() -> None:
    assert visible("a\r\nb\r") == "a\nb\\r"


def _written(console: VisibleConsole) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def _console(*, is_terminal: bool) -> VisibleConsole:
    return VisibleConsole(file=io.StringIO(), width=200, markup=False, force_terminal=is_terminal)


def test_the_text_of_a_table_is_visible() -> None:
    console = _console(is_terminal=False)
    table = Table(EVIL)
    table.add_row(Text(EVIL))
    console.print(table)
    assert _written(console).count("\\x1b]0;title") == 2
    assert not {"\x1b", "\x9b", "\u202e"} & set(_written(console))


def test_a_live_line_is_visible_and_still_moves_the_cursor() -> None:
    console = _console(is_terminal=True)
    with Live(Text(EVIL), console=console, refresh_per_second=100, transient=True) as live:
        live.refresh()
    written = _written(console)
    assert "\\x1b]0;title" in written
    assert "\x1b[2K" in written  # a control code of rich
    assert "\x1b]0" not in written


def test_an_error_is_visible_in_any_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stderr", stream)
    say_error(f"é {EVIL}")
    stream.flush()
    assert stream.buffer.getvalue().decode() == f"\\xe9 {SHOWN}\n"  # type: ignore[attr-defined]


@pytest.mark.parametrize("is_terminal", [False, True])
def test_a_result_is_exact_unless_it_goes_to_a_terminal(
    is_terminal: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    monkeypatch.setattr(stream, "isatty", lambda: is_terminal, raising=False)
    monkeypatch.setattr(sys, "stdout", stream)
    write_result(EVIL)
    stream.flush()
    exact = EVIL.encode("utf-8", "surrogateescape")
    assert stream.buffer.getvalue() == (SHOWN.encode() if is_terminal else exact)  # type: ignore[attr-defined]
