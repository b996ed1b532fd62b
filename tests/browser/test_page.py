"""The report in a real browser: Chromium, driven by playwright."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reported import tuned
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


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(page([tuned()], made="2026-01-02 03:04"), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(params=WIDTHS)
def opened(browser: Any, file: Path, request: pytest.FixtureRequest) -> Iterator[Any]:
    """Open the page from its file; at the end there must have been no error and no request."""
    size = {"width": WIDTHS[request.param], "height": 900}
    context = browser.new_context(viewport=size, permissions=["clipboard-read", "clipboard-write"])
    tab = context.new_page()
    problems: list[str] = []
    tab.on("console", lambda message: problems.append(message.text))
    tab.on("pageerror", lambda error: problems.append(str(error)))
    tab.on("request", lambda asked: None if asked.url == file.as_uri() else problems.append(asked.url))
    tab.goto(file.as_uri())
    yield tab
    context.close()
    assert problems == []


def test_the_page_fits_its_window(opened: Any) -> None:
    width = opened.evaluate("document.documentElement.scrollWidth")
    assert width <= opened.viewport_size["width"]
    assert opened.locator("figure svg").count() >= 9


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
