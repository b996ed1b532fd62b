"""The page as text."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from reported import repeated, tuned
from tightrope.report.draw.scale import grouped
from tightrope.report.page import page
from tightrope.report.tuning import Tuning

MADE = "2026-01-02 03:04"
EMPTY_TAGS = {"meta", "path", "rect", "circle"}


class Reader(HTMLParser):
    """Collects tags and attributes, and checks that tags are closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes.append((tag, dict(attrs)))
        if tag not in EMPTY_TAGS:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in EMPTY_TAGS:
            assert self.open.pop() == tag


@pytest.fixture(scope="module")
def tuning() -> Tuning:
    return tuned()


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    return reader


def test_the_page_is_well_formed_and_its_names_are_unique(tuning: Tuning) -> None:
    for tunings in ([tuning], [tuning, replace(tuning, name="again")]):
        reader = read(page(tunings, made=MADE))
        ids = [attributes["id"] for _, attributes in reader.attributes if "id" in attributes]
        assert len(ids) == len(set(ids))


def test_nothing_is_loaded_from_elsewhere(tuning: Tuning) -> None:
    for tag, attributes in read(page([tuning], made=MADE)).attributes:
        assert "src" not in attributes
        link = attributes.get("href")
        assert link is None or link.startswith(("#", "data:text/csv")), tag


def test_every_figure_has_reading_help_alternative_text_and_data(tuning: Tuning) -> None:
    text = page([tuning], made=MADE)
    figures = re.findall(r"<figure.*?</figure>", text, re.DOTALL)
    assert len(figures) >= 9
    for figure in figures:
        assert re.search(r"<figcaption><p>[^<]{20,}", figure)
        assert re.search(r'role="img" aria-label="[^"]{10,}"', figure)
        assert re.search(r'download="[^"]+\.csv" href="data:text/csv', figure)


def test_the_command_line_can_be_copied(tuning: Tuning) -> None:
    text = page([tuning], made=MADE)
    (code,) = re.findall(r'<code id="command">(.*?)</code>', text)
    assert re.sub("<[^>]*>", "", code) == tuning.command
    assert "data-copy" not in page([replace(tuning, command="")], made=MADE).replace("[data-copy]", "")


def test_names_from_outside_are_escaped(tuning: Tuning) -> None:
    text = page([replace(tuning, name="<script>alert(1)</script>", sentence="a < b")], made=MADE)
    assert "<script>alert" not in text
    assert "a &lt; b" in text


def test_configs_on_hover_are_described(tuning: Tuning) -> None:
    text = page([tuning], made=MADE)
    (described,) = re.findall(r'id="configs">(.*?)</script>', text)
    assert "'x'" in json.loads(described)[""][str(tuning.progress.number)]


def test_configs_of_several_tunings_are_described_apart(tuning: Tuning) -> None:
    other = replace(tuning, name="other", wording=replace(tuning.wording, changes=lambda config: "elsewhere"))
    (described,) = re.findall(r'id="configs">(.*?)</script>', page([tuning, other], made=MADE))
    found = json.loads(described)
    assert set(found) == {"", "solver", "other"}
    assert "'x'" in found["solver"][str(tuning.progress.number)]
    assert found["other"][str(tuning.progress.number)] == "elsewhere"


def test_several_tunings_have_a_table_of_their_best_configs(tuning: Tuning) -> None:
    text = page([tuning, replace(tuning, name="other")], made=MADE)
    for name in ("solver", "other"):
        assert re.search(rf'<th scope="row">{name}</th><td>#{tuning.progress.number}</td>', text)
    n_common = len(tuning.scores(tuning.progress.config))
    assert f"mean on {n_common} common training tasks" in text
    assert '<tr><th scope="row">mode</th><td>slow</td><td>quick</td><td>quick</td></tr>' in text


def test_only_a_watched_page_reloads(tuning: Tuning) -> None:
    assert "data-refresh" not in page([tuning], made=MADE).split("<head>")[0]
    assert 'data-refresh="10"' in page([tuning], made=MADE, refresh_s=10.0).split("<head>")[0]


def test_a_section_without_content_is_not_shown(tuning: Tuning) -> None:
    columns = tuning.columns
    untimed = replace(columns, measures={**columns.measures, "wall_s": 0.0 * columns.wall_s})
    text = page([replace(tuning, history=tuning.history.of(untimed))], made=MADE)
    assert 'id="workers"' not in text
    assert 'href="#workers"' not in text


def test_a_page_of_a_million_runs_is_small_and_says_what_it_left_out(tuning: Tuning) -> None:
    many = repeated(tuning, 1_000_000 // len(tuning.history) + 1)
    text = page([many], made=MADE)
    assert len(many.history) >= 1_000_000
    assert len(text) < 3_000_000
    n_configs, n_tasks = len(many.columns.configs), len(many.columns.tasks)
    for note in (
        f"40 of {grouped(n_configs)} configs (default, incumbents,",
        f"{n_tasks} of {n_tasks} tasks are drawn.",
        f"1 500 of {grouped(len(many.history))} runs are drawn, evenly chosen.",
        f"a sample of 2 500 of {grouped(len(many.history))} runs",
        f"{grouped(len(many.history))} runs are too many to draw one by one",
    ):
        assert note in text
