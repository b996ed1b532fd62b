"""Runs what a page of the documentation shows: blocks of Python, and command lines in console blocks.

Blocks run in the order of the page, in one folder. In a block ```console, a line `$ command` is run by a
shell; it must end with exit code 0, or with N if the line ends with `# exit N`. Lines below it are its
output, where

* `...` stands for anything, and on a line of its own for any lines, or none,
* an amount with a unit (`1.92 s`, `71 %`) and a clock (`0:20`) stand for any other,
* two or more spaces stand for any number of them.

The output of a command that has no lines below it is not compared.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PATIENCE_S = 300  # on a machine that has other things to do

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_COMMAND = re.compile(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
_EXIT = re.compile(r"\s+# exit (\d+)$")
_AMOUNT = r"[\d ]*\d(?:\.\d+)? ?(?:ms|s|m|h|%|x)(?!\w)(?: \d+ [sm](?!\w))?"
_LOOSE = re.compile(
    rf"(?P<anything>\.\.\.)|(?P<clock>\d+:\d\d(?::\d\d)?)|(?P<amount>(?<!\S){_AMOUNT})|(?P<gap> {{2,}})"
)
_MEANING = {"anything": ".*", "clock": r"\d+:\d\d(?::\d\d)?", "amount": _AMOUNT, "gap": " +"}


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block, and the line in which it begins."""

    language: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Command:
    """A command line, the code that it must end with, and what it prints; empty if that is not told."""

    text: str
    code: int
    shown: str


def blocks_of(page: str) -> Iterator[Block]:
    """Return the blocks of a page that have a language."""
    for match in _BLOCK.finditer(page):
        yield Block(match[1], match[2], page.count("\n", 0, match.start()) + 1)


def commands_of(block: str) -> list[Command]:
    """Return the command lines of a console block."""
    if not block.startswith("$ "):
        raise ValueError(f"a console block begins with a command line, `$ ...`, not with {block[:20]!r}")
    found = []
    for match in _COMMAND.finditer(block):
        mark = _EXIT.search(match[1])
        found.append(Command(_EXIT.sub("", match[1]), int(mark[1]) if mark else 0, match[2].strip("\n")))
    return found


def is_as_shown(printed: str, shown: str) -> bool:
    """Whether a command printed what the page shows."""
    lines = [line.rstrip() for line in printed.splitlines()]
    return re.fullmatch(_pattern(shown), "".join(f"{line}\n" for line in lines)) is not None


def _pattern(shown: str) -> str:
    return "".join(
        r"(?:.*\n)*" if line == "..." else _line_pattern(line) + r"\n" for line in shown.splitlines()
    )


def _line_pattern(line: str) -> str:
    pattern, end = "", 0
    for match in _LOOSE.finditer(line):
        pattern += re.escape(line[end : match.start()]) + _MEANING[str(match.lastgroup)]
        end = match.end()
    return pattern + re.escape(line[end:])


def run_command(command: Command, folder: Path) -> None:
    """Run a command line in a folder; fail if it does not do what the page says."""
    here = str(Path(sys.executable).parent)  # where the command tightrope is, and the Python that has it
    variables = {"PATH": here + os.pathsep + os.environ["PATH"], "NO_COLOR": "1", "OMP_NUM_THREADS": "1"}
    ended = subprocess.run(
        command.text,
        shell=True,
        cwd=folder,
        env=os.environ | variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE_S,
    )
    told = f"$ {command.text}\n{ended.stdout}"
    assert ended.returncode == command.code, f"exit code {ended.returncode}, not {command.code}:\n{told}"
    if command.shown:
        assert is_as_shown(ended.stdout, command.shown), f"{told}\nThe page shows:\n{command.shown}"
