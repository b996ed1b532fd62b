"""The site of `make docs` shows every public name and every page."""

import importlib
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
API = (DOCS / "site" / "api.rst").read_text(encoding="utf-8")


@pytest.mark.parametrize("module", ["tightrope", "tightrope.run", "tightrope.figures"])
def test_the_api_reference_lists_every_public_name(module: str) -> None:
    parts = re.split(r"\.\. currentmodule:: (\S+)\n", API)
    listed: set[str] = set()
    for name, text in zip(parts[1::2], parts[2::2], strict=True):
        if name == module:
            listed |= set(re.findall(r"^   (\w+)$", text, re.MULTILINE))
    public = set(importlib.import_module(module).__all__)
    assert public - listed == {"wait"} & public  # wait is for authors of targets
    assert listed <= public


def test_every_page_is_in_the_table_of_contents() -> None:
    contents = (DOCS / "README.md").read_text(encoding="utf-8")
    pages = {page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")} - {"README.md"}
    linked = set(re.findall(r"\]\(([^)#]+\.md)\)", contents))
    assert {page for page in pages - linked if not page.startswith("lab/")} == set()
