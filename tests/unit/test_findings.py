"""The catalogue of findings has every code that is used, and no other."""

import ast
import re
from pathlib import Path

from tightrope.findings import CATALOGUE, GROUPS

SOURCE = Path(__file__).parents[2] / "src" / "tightrope"
CODE = re.compile(r"[A-Z]\d\d")


def codes_used() -> set[str]:
    """Return all strings in the source that look like a code, except in the catalogue."""
    return {
        node.value
        for file in SOURCE.rglob("*.py")
        if file.name != "findings.py"
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and CODE.fullmatch(node.value)
    }


def test_every_code_that_is_used_is_explained() -> None:
    assert codes_used() - CATALOGUE.keys() == set()


def test_every_code_that_is_explained_is_used() -> None:
    assert CATALOGUE.keys() - codes_used() == set()


def test_codes_belong_to_groups_that_are_named() -> None:
    assert {code[0] for code in CATALOGUE} == GROUPS.keys()


def test_entries_are_sentences_and_titles_are_not() -> None:
    for entry in CATALOGUE.values():
        assert not entry.title.endswith(".")
        assert entry.meaning.endswith(".")
        assert entry.remedy.endswith(".")


def test_the_page_of_findings_equals_the_catalogue() -> None:
    page = (SOURCE.parents[1] / "docs" / "reference" / "findings.md").read_text(encoding="utf-8")
    rows = [f"| {code} | {each.title} | {each.meaning} | {each.remedy} |" for code, each in CATALOGUE.items()]
    assert [line for line in page.splitlines() if re.match(r"\| [A-Z]\d\d ", line)] == rows
