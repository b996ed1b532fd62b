"""Builds docs/ as a site: `make docs`. The pages stay as they are; README.md is its table of contents."""

import re
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

project = "tightrope"
copyright = "The tightrope developers"
version = release = version_of("tightrope")

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_copybutton",
]
root_doc = "README"
default_role = "code"
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["site/templates"]
templates_path = ["site/templates"]  # autosummary looks below the folder of the pages
nitpicky = False

myst_heading_anchors = 4  # links of the pages to headings
myst_enable_extensions = ["deflist"]
suppress_warnings = ["myst.xref_missing"]  # tests/docs/test_links.py checks all links of the pages

autosummary_generate = True
autodoc_typehints = "none"  # numpydoc has the types
autoclass_content = "class"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "pydata_sphinx_theme"
html_title = f"tightrope {version}"
html_theme_options = {
    "navbar_align": "left",
    "navbar_end": ["theme-switcher"],
    "show_prev_next": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "navigation_with_keys": False,
}
html_show_sourcelink = False
html_static_path = ["static"]
html_css_files = ["site.css"]

_SECTIONS = {  # pages of the site for the sections of README.md
    "site/start": "Start",
    "site/howto": "How to",
    "site/ideas": "Ideas",
    "site/reference": "Reference",
    "site/design": "Results and design",
}
_LINK = re.compile(r"^\| \[[^]]+\]\(([^)#]+)\.md\)", re.MULTILINE)


def _pages_of(section: str, contents: str) -> list[str]:
    """Return the pages that a section of README.md links to."""
    _, _, rest = contents.partition(f"\n## {section}\n")
    return _LINK.findall(rest.partition("\n## ")[0])


def _tree(pages: list[str], *, option: str) -> str:
    return "\n".join(["", ".. toctree::", f"   {option}", "", *(f"   /{page}" for page in pages), ""])


def _read(app: Any, name: str, source: list[str]) -> None:
    """Add the trees of pages that Sphinx navigates by."""
    if name == root_doc:
        source[0] += "\n```{eval-rst}\n" + _tree([*_SECTIONS, "site/api"], option=":hidden:") + "```\n"
    if name in _SECTIONS:
        contents = Path(app.srcdir, f"{root_doc}.md").read_text(encoding="utf-8")
        source[0] += _tree(_pages_of(_SECTIONS[name], contents), option=":maxdepth: 1")
    if name == "lab/README":
        pages = sorted(page.stem for page in Path(app.srcdir, "lab").glob("*.md") if page.stem != "README")
        tree = _tree([f"lab/{page}" for page in pages], option=":hidden:")
        source[0] += "\n```{eval-rst}\n" + tree + "```\n"


def _begin_at_index(app: Any, error: Exception | None) -> None:
    """Let index.html, where browsers begin, lead to the root page."""
    if error is None and app.builder.format == "html":
        target = f"{root_doc}.html"
        page = (
            f'<!doctype html><meta http-equiv="refresh" content="0; url={target}"><a href="{target}">docs</a>'
        )
        Path(app.outdir, "index.html").write_text(page + "\n", encoding="utf-8")


def setup(app: Any) -> None:
    """Connect what this file adds to Sphinx."""
    app.connect("source-read", _read)
    app.connect("build-finished", _begin_at_index)
