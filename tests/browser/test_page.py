"""The report in a real browser: Chromium, driven by playwright."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reported import repeated, tuned
from tightrope.report.page import page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

try:
    from playwright.sync_api import sync_playwright
except ImportError:
    sync_playwright = None  # type: ignore[assignment]

pytestmark = [
    pytest.mark.skipif(sync_playwright is None, reason="needs playwright:  pip install playwright"),
    pytest.mark.skipif(CHROMIUM is None, reason="needs a browser:  apt-get install chromium"),
]
WIDTHS = {"desk": 1200, "phone": 390}
WIDE = {"x": (0.0, 1.0), "mode": ["slow", "quick"]} | {f"p{i}": (0.0, 1.0) for i in range(20)}
MADE = "2026-01-02 03:04"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(page([tuned()], made=MADE), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a page of two tunings, one of a million runs."""
    path = tmp_path_factory.mktemp("large") / "report.html"
    one = tuned()
    many = repeated(one, 1_000_000 // len(one.history) + 1)
    path.write_text(page([many, replace(one, name="other")], made=MADE), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@contextmanager
def visit(browser: Any, file: Path, **settings: Any) -> Iterator[Any]:
    """Open a page from its file; at the end there must have been no error and no request."""
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"], **settings)
    tab = context.new_page()
    problems: list[str] = []
    tab.on("console", lambda message: problems.append(message.text))
    tab.on("pageerror", lambda error: problems.append(str(error)))
    tab.on("request", lambda asked: None if asked.url == file.as_uri() else problems.append(asked.url))
    tab.goto(file.as_uri())
    yield tab
    context.close()
    assert problems == []


@pytest.fixture(params=WIDTHS)
def opened(browser: Any, file: Path, request: pytest.FixtureRequest) -> Iterator[Any]:
    with visit(browser, file, viewport={"width": WIDTHS[request.param], "height": 900}) as tab:
        yield tab


def test_the_page_fits_its_window(opened: Any) -> None:
    width = opened.evaluate("document.documentElement.scrollWidth")
    assert width <= opened.viewport_size["width"]
    assert opened.locator("figure svg").count() >= 9


@pytest.mark.parametrize("width", WIDTHS.values())
def test_a_page_of_two_tunings_and_a_million_runs_works(browser: Any, large: Path, width: int) -> None:
    with visit(browser, large, viewport={"width": width, "height": 900}) as tab:
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
        tab.locator("#returned .drawing").focus()
        tab.keyboard.press("ArrowRight")
        assert "tuning " in tab.locator("#tip").inner_text()


def test_dark_mode_changes_paper_ink_and_lines(browser: Any, file: Path) -> None:
    found = []
    for scheme in ("light", "dark"):
        with visit(browser, file, color_scheme=scheme) as tab:
            found.append(
                tab.evaluate(
                    """() => [["body", "backgroundColor"], ["svg text", "fill"], ["svg .s0", "stroke"]]
                    .map(([where, what]) => getComputedStyle(document.querySelector(where))[what])"""
                )
            )
    assert all(light != dark for light, dark in zip(*found, strict=True))


def test_print_unfolds_what_is_folded_and_hides_what_cannot_be_pressed(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(
        page([tuned(space=WIDE, default=dict.fromkeys(WIDE, 0.9) | {"mode": "slow"})], made=MADE),
        encoding="utf-8",
    )
    with visit(browser, path) as tab:
        count = "document.querySelectorAll('details[open]').length"
        assert tab.evaluate(count) == 0
        tab.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert tab.evaluate(count) > 0
        tab.emulate_media(media="print")
        assert not tab.get_by_role("button", name="Copy").is_visible()
        tab.evaluate("dispatchEvent(new Event('afterprint'))")
        assert tab.evaluate(count) == 0


def test_a_mark_shows_config_and_instance_on_hover(opened: Any) -> None:
    drawing = opened.locator("#caps .drawing")
    drawing.scroll_into_view_if_needed()
    place = opened.evaluate(
        """() => {
          const figure = document.getElementById("caps"), svg = figure.querySelector("svg");
          const [x, y] = JSON.parse(figure.querySelector(".points").textContent);
          const at = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
          return [at.x, at.y];
        }"""
    )
    opened.mouse.move(*place)
    shown = opened.locator("#tip").inner_text()
    assert "config #" in shown
    assert "instance " in shown
    assert "'x'" in shown
    opened.mouse.move(0, 0)
    assert opened.locator("#tip").is_hidden()


def test_marks_can_be_read_by_keyboard(opened: Any) -> None:
    opened.locator("#incumbent .drawing").focus()
    opened.keyboard.press("ArrowRight")
    first = opened.locator("#tip").inner_text()
    opened.keyboard.press("ArrowRight")
    assert opened.locator("#tip").inner_text() != first
    opened.keyboard.press("Escape")
    assert opened.locator("#tip").is_hidden()


def test_the_command_line_is_copied(opened: Any) -> None:
    opened.get_by_role("button", name="Copy").click()
    opened.get_by_role("button", name="Copied").wait_for()
    assert opened.evaluate("navigator.clipboard.readText()") == "./solver --x=0.3 INSTANCE"


def test_the_data_of_a_figure_is_downloaded(opened: Any, tmp_path: Path) -> None:
    with opened.expect_download() as waiting:
        opened.locator("#caps a.csv").click()
    waiting.value.save_as(tmp_path / "caps.csv")
    head, *rows = (tmp_path / "caps.csv").read_text().splitlines()
    assert head == "config,instance,seed,spent,cap,status,cost"
    assert len(rows) == 150
