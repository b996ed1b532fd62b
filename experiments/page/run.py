"""Draw the pictures of a report for the documentation: python experiments/page RUN_FOLDER.

The page of a finished and validated tuning, such as that of `tightrope demo`, is opened in Chromium, and its
head and its figures are photographed. Needs playwright and chromium: pip install --group browser.
"""

import argparse
import shutil
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

from tightrope.figures import write_page

IMAGES = Path(__file__).parents[2] / "docs" / "images"
FIGURES = (
    "incumbent", "instances", "survival-test", "heatmap", "caps", "share-cut", "saved", "coordinates",
    "slices", "ablation-path", "coverage", "model-error", "timeline",
)  # fmt: skip
WIDTH, HEAD = 1100, 1460  # of the window, and of the picture of the page's head
COLORS = 256


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="run folder")
    parser.add_argument("--out", type=Path, default=IMAGES, help="folder of the pictures")
    options = parser.parse_args(arguments)
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        raise SystemExit("there is no browser: apt-get install chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page = write_page(Path(folder) / "report.html", options.folder)
        opened = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        tab = opened.new_page(viewport={"width": WIDTH, "height": HEAD})
        tab.goto(page.as_uri())
        photograph(tab, options.out)
        opened.close()


def photograph(tab: Any, out: Path) -> None:
    """Write a picture of the head of the page and of each figure."""
    out.mkdir(parents=True, exist_ok=True)
    tab.screenshot(path=out / "report.png")
    shrink(out / "report.png")
    for name in FIGURES:
        drawing = tab.locator(f"#{name} .drawing")
        if drawing.count():
            drawing.screenshot(path=out / f"report-{name}.png")
            shrink(out / f"report-{name}.png")
        else:
            print(f"the page has no figure {name}")


def shrink(file: Path) -> None:
    """Keep few colours, which makes a drawing's file much smaller."""
    Image.open(file).convert("RGB").quantize(COLORS, Image.Quantize.MAXCOVERAGE).save(file, optimize=True)
