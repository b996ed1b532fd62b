"""Every example in the documentation runs and shows what it says."""

import doctest
import importlib
import pkgutil
import re
import shlex
from pathlib import Path

import click
import pytest

import tightrope
from pages import blocks_of, commands_of, run_command
from tightrope.cli.main import tightrope as group

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
MODULES = [
    module.name
    for module in pkgutil.walk_packages(tightrope.__path__, "tightrope.")
    if not module.name.endswith("_kernel")
]
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())


@pytest.mark.parametrize("name", ["tightrope", *MODULES])
def test_examples_in_docstrings_hold(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@each_page
def test_what_a_page_shows_happens(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Blocks of one page share a folder and their names; text after a Python block is what it prints."""
    folder = tmp_path / "my-solver"
    folder.mkdir()
    monkeypatch.chdir(folder)
    names: dict[str, object] = {}
    printed = None
    for block in blocks_of(page.read_text(encoding="utf-8")):
        if block.language == "python":
            exec(compile("\n" * block.line + block.text, str(page), "exec"), names)
            printed = capsys.readouterr().out
        elif block.language == "console":
            for command in commands_of(block.text):
                run_command(command, folder)
        elif block.language == "text" and printed is not None:
            assert block.text == printed
        if block.language != "python":
            printed = None


@each_page
def test_command_lines_that_are_not_run_could_be(page: Path) -> None:
    """Those in other blocks, for shells or for the eye, name verbs and options that there are."""
    lines = re.findall(r"^(?: {4})?(tightrope .*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    for line in lines:
        _, *words = shlex.split(line, comments=True)
        with group.make_context("tightrope", [], resilient_parsing=True) as context:
            name, verb, rest = group.resolve_command(context, words)
            assert verb is not None
            verb.make_parser(click.Context(verb, context, name)).parse_args(rest)


def test_every_page_is_listed() -> None:
    """Pages of the lab are listed in its own index, all others in that of the documentation."""
    docs = ROOT / "docs"
    for index in (docs / "README.md", docs / "lab" / "README.md"):
        listed = index.read_text(encoding="utf-8")
        pages = [page for page in index.parent.rglob("*.md") if page != index]
        if index.parent == docs:
            pages = [page for page in pages if page.parent.name != "lab" or page.name == "README.md"]
        names = [page.relative_to(index.parent).as_posix() for page in pages]
        assert [name for name in names if f"]({name})" not in listed] == []


def test_what_the_readme_tells_to_make_can_be_made() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    told = re.findall(r"`make ([\w-]+)`", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert {"demo", "test"} <= set(told)
    assert [name for name in told if not re.search(rf"^{name}:", makefile, re.MULTILINE)] == []
