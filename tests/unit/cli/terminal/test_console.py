"""What the terminal prints with -q, -v and --json."""

import json
from math import inf, nan

import numpy as np
import pytest

from tightrope.cli.terminal.console import Terminal, plain


def terminal_of(*, quiet: bool = False, verbose: bool = False, is_json: bool = False) -> Terminal:
    return Terminal.of(quiet=quiet, verbose=verbose, is_json=is_json, no_color=False)


def print_all(terminal: Terminal) -> None:
    terminal.detail("detail")
    terminal.say("say")
    terminal.result("result")
    terminal.warn("warn")
    terminal.data({"x": 1})


@pytest.mark.parametrize(
    ("quiet", "verbose", "out"),
    [
        (False, False, "say\nresult\nwarn\n"),
        (True, False, "result\nwarn\n"),
        (False, True, "detail\nsay\nresult\nwarn\n"),
    ],
)
def test_quiet_and_verbose_select_what_is_printed(
    quiet: bool, verbose: bool, out: str, capsys: pytest.CaptureFixture[str]
) -> None:
    print_all(terminal_of(quiet=quiet, verbose=verbose))
    assert capsys.readouterr().out == out


def test_programs_have_stdout_for_themselves(capsys: pytest.CaptureFixture[str]) -> None:
    print_all(terminal_of(is_json=True))
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ('{"x": 1}\n', "say\nresult\nwarn\n")


def test_text_that_looks_like_markup_is_printed_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    terminal_of().say("[bold]x[/bold] :smile: 'a' 1.5")
    assert capsys.readouterr().out == "[bold]x[/bold] :smile: 'a' 1.5\n"


def test_a_long_line_is_left_to_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    terminal_of().say("word " * 100)
    assert capsys.readouterr().out.count("\n") == 1


def test_json_has_no_infinite_numbers() -> None:
    odd = {"a": inf, "b": (nan, np.float64(1.5)), "c": np.int64(3), 4: True}
    assert json.dumps(plain(odd), allow_nan=False) == '{"a": null, "b": [null, 1.5], "c": 3, "4": true}'
