"""The runner of the documentation's command lines finds out what is wrong."""

from pathlib import Path

import pytest

from pages import Block, Command, blocks_of, commands_of, is_as_shown, run_command


def test_blocks_come_with_their_language_and_line() -> None:
    page = "one\n\n```console\n$ ls\n```\n\n```\nplain\n```\n\n```python\nx = 1\n```\n"
    assert list(blocks_of(page)) == [Block("console", "$ ls\n", 3), Block("python", "x = 1\n", 11)]


def test_a_block_holds_commands_with_output_and_exit_codes() -> None:
    block = "$ first\n$ second \\\n    --more  # exit 3\na line\nanother\n$ third\n"
    assert commands_of(block) == [
        Command("first", 0, ""),
        Command("second \\\n    --more", 3, "a line\nanother"),
        Command("third", 0, ""),
    ]


def test_a_block_without_a_command_is_refused() -> None:
    with pytest.raises(ValueError, match="begins with a command line"):
        commands_of("tightrope tune\n")


@pytest.mark.parametrize(
    ("printed", "shown"),
    [
        ("exactly\nthis\n", "exactly\nthis"),
        ("solved a.cnf in 0.84 s\n", "solved a.cnf in 12.1 ms"),
        ("takes 2 m 00 s at most\n", "takes 45 s at most"),
        ("took 1 204 runs, 71 % cut short, 4.1x\n", "took 1 204 runs, 5 % cut short, 10x"),
        ("0:20  of\n", "1:00:20  of"),
        ("default     205 ms\n", "default   1.50 s"),
        ("one\ntwo\nthree\n", "one\n...\nthree"),
        ("one\nthree\n", "one\n...\nthree"),
        ("same answer; cost varies\n", "same answer..."),
    ],
)
def test_output_may_differ_in_amounts_and_where_the_page_says_so(printed: str, shown: str) -> None:
    assert is_as_shown(printed, shown)


@pytest.mark.parametrize(
    ("printed", "shown"),
    [
        ("exactly\nthat\n", "exactly\nthis"),
        ("one\ntwo\n", "one"),
        ("18 parameters\n", "17 parameters"),
        ("one\ntwo\n", "one\n...\nthree"),
        ("in 0.84 s\n", "in 0.84 runs"),
        ("", "something"),
    ],
)
def test_other_output_is_found_out(printed: str, shown: str) -> None:
    assert not is_as_shown(printed, shown)


def test_a_command_runs_in_its_folder_with_our_python(tmp_path: Path) -> None:
    run_command(Command("python -c 'import tightrope' && touch here && ls", 0, "here"), tmp_path)


@pytest.mark.parametrize(
    "command", [Command("exit 3", 0, ""), Command("true", 1, ""), Command("echo no", 0, "yes")]
)
def test_a_command_that_does_something_else_fails(command: Command, tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        run_command(command, tmp_path)
