"""Several tunings in one figure."""

from dataclasses import replace

import pytest

from reported import tuned
from tightrope.api.validate import sum_up
from tightrope.errors import Finding, Severity
from tightrope.report.content import sections_of
from tightrope.report.figure import Section
from tightrope.report.sections.comparison import comparison_rows
from tightrope.report.sections.incumbents import incumbents
from tightrope.report.tuning import Tuning

NAMES = {"first", "second"}


@pytest.fixture(scope="module")
def tunings() -> list[Tuning]:
    first = tuned(name="first")
    return [first, replace(first, name="second")]


@pytest.fixture(scope="module")
def sections(tunings: list[Tuning]) -> dict[str, Section]:
    return {section.name: section for section in sections_of(tunings)}


@pytest.mark.parametrize(
    ("section", "figure"),
    [
        ("progress", "incumbents"),
        ("comparison-with-default", "instances"),
        ("comparison-with-default", "survival-training"),
        ("time", "share-cut"),
        ("tried", "returned"),
    ],
)
def test_a_figure_shows_every_tuning(sections: dict[str, Section], section: str, figure: str) -> None:
    (shown,) = [each for each in sections[section].figures if each.name == figure]
    place = list(shown.table.columns).index("tuning")
    assert {row[place] for row in shown.table.rows} - {"default"} == NAMES
    assert all(f">{name}" in shown.svg for name in NAMES)


def test_details_are_of_one_tuning_which_is_named(sections: dict[str, Section]) -> None:
    (heatmap,) = [each for each in sections["time"].figures if each.name == "heatmap"]
    assert heatmap.title == "Configs by tasks: first"
    assert sections["time"].facts[0] == ("tuning", "first")


def test_findings_of_every_tuning_are_listed(tunings: list[Tuning]) -> None:
    finding = Finding("R03", Severity.WARNING, "incumbent", "it was run on only 2 tasks", "raise the budget")
    found = sections_of([tunings[0], replace(tunings[1], findings=[finding])])
    (trust,) = [section for section in found if section.name == "trust"]
    assert [text[:11] for text in trust.paragraphs] == ["second: R03"]


def test_configs_of_different_spaces_share_no_axes(tunings: list[Tuning]) -> None:
    other = tuned(name="second", space={"x": (0.0, 2.0), "mode": ["slow", "quick"]})
    names = [each.name for section in sections_of([tunings[0], other]) for each in section.figures]
    assert "returned" not in names


def validated(tuning: Tuning) -> Tuning:
    """Return a tuning with a validation on its own runs."""
    named = {"default": tuning.progress.default, "best": tuning.progress.config}
    common = set(tuning.scores(named["default"])) & set(tuning.scores(named["best"]))
    runs = [run for run in tuning.history if run.trial.config in named.values() and run.trial.task in common]
    return replace(
        tuning, validation=sum_up(tuning.scenario, named, runs, on="test", is_time=True, wall_s=0.0)
    )


def test_validated_costs_are_compared_and_others_are_not_yet(tunings: list[Tuning]) -> None:
    first, second = tunings
    head, *rows = comparison_rows([validated(first), validated(second)])
    assert head[2].endswith("common validation tasks")
    assert rows[0][2] == rows[1][2]
    head, *rows = comparison_rows([validated(first), second])
    assert head[2:4] == (
        f"mean on {len(first.scores(first.progress.config))} common training tasks",
        "validated",
    )
    assert rows[1][3] == "not yet"


def test_validated_costs_are_marked_at_the_ends_of_the_lines(tunings: list[Tuning]) -> None:
    figure = incumbents([validated(each) for each in tunings])
    marked = [row for row in figure.table.rows if row[8] == "test"]
    assert [row[0] for row in marked] == ["first", "second"]
