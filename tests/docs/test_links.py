"""Relative links of the documentation lead to files and headings that exist."""

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "examples").rglob("*.md")),
]
_FENCE = re.compile(r"^( *)```.*?^\1```$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`[^`\n]*`")
_LINK = re.compile(r"\]\(([^()\s]+)\)")
_HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)


def links_of(text: str) -> list[str]:
    """Return the relative targets of a page's links; code blocks and code spans hold none."""
    targets = _LINK.findall(_CODE.sub("", _FENCE.sub("", text)))
    return [target for target in targets if "://" not in target]


def anchors_of(text: str) -> set[str]:
    """Return the anchors that GitHub gives a page's headings; equal ones are numbered."""
    anchors: set[str] = set()
    for heading in _HEADING.findall(_FENCE.sub("", text)):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        anchor = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        number = next(n for n in range(len(anchors) + 1) if _numbered(anchor, n) not in anchors)
        anchors.add(_numbered(anchor, number))
    return anchors


def _numbered(anchor: str, number: int) -> str:
    return f"{anchor}-{number}" if number else anchor


@cache
def _anchors_in(page: Path) -> set[str]:
    return anchors_of(page.read_text(encoding="utf-8"))


def _is_broken(page: Path, target: str) -> bool:
    name, _, anchor = target.partition("#")
    file = (page.parent / name).resolve() if name else page
    if not file.exists():
        return True
    return bool(anchor) and (file.suffix != ".md" or anchor not in _anchors_in(file))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_of_a_page_lead_to_files_and_headings(page: Path) -> None:
    targets = links_of(page.read_text(encoding="utf-8"))
    assert [target for target in targets if _is_broken(page, target)] == []


def test_links_in_code_and_to_other_sites_are_not_checked() -> None:
    page = "[a](b.md#c) `[d](e)` [f](https://g.org/h)\n\n```\n[i](j)\n```\n![k](l.png)\n"
    assert links_of(page) == ["b.md#c", "l.png"]


def test_anchors_are_those_of_github() -> None:
    page = "# Reference: `tune`, Result\n\n```\n# no heading\n```\n## More\n## More\n## See [here](x.md)\n"
    assert anchors_of(page) == {"reference-tune-result", "more", "more-1", "see-here"}


@pytest.mark.parametrize("target", ["gone.md", "#gone", "other.md#gone", "picture.png#anchor"])
def test_a_link_to_what_is_not_there_is_broken(target: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Here\n", encoding="utf-8")
    (tmp_path / "other.md").write_text("# There\n", encoding="utf-8")
    (tmp_path / "picture.png").touch()
    assert _is_broken(page, target)
    assert not _is_broken(page, "#here")
    assert not _is_broken(page, "other.md#there")
    assert not _is_broken(page, "picture.png")
