"""The section on which changes matter."""

from dataclasses import replace

import pytest

from reported import tuned
from tightrope.figures.ablation import PathSummary, Stage
from tightrope.report.page import page
from tightrope.report.sections.ablation import ablation
from tightrope.report.tuning import Tuning

STAGES = (
    Stage("the default", 9.0, (7.0, 11.0)),
    Stage("", 5.0, (4.0, 6.0), changes=(("mode", "slow", "<quick>"),), ratio=1.8, share=0.8),
    Stage("", 4.0, None, changes=(("x", 0.9, 0.25), ("depth", None, 3)), ratio=1.25, share=0.2),
    Stage("7 other changes", 4.0, (3.0, 5.0), changes=(("y", 1, 2),) * 7, ratio=1.0, share=-0.001),
)


@pytest.fixture(scope="module")
def tuning() -> Tuning:
    return replace(tuned(), ablation=PathSummary("2 of 9 changes keep the gain.", STAGES))


def test_a_tuning_without_an_ablation_has_no_such_section() -> None:
    assert ablation(tuned()).is_empty


def test_the_sentence_and_a_bar_for_each_stage_are_shown(tuning: Tuning) -> None:
    section = ablation(tuning)
    (figure,) = section.figures
    assert section.paragraphs == ["2 of 9 changes keep the gain."]
    assert figure.svg.count('fill-opacity="0.5"') == len(STAGES)
    assert "x = 0.25, depth = 3" in figure.svg
    assert "80 %" in figure.svg
    assert "-0 %" not in figure.svg


def test_the_data_has_values_before_and_after(tuning: Tuning) -> None:
    (figure,) = ablation(tuning).figures
    _, default, first, second, rest = figure.table.csv().splitlines()
    assert default.startswith("the default,,,9,7,11,")
    assert first.startswith("mode,slow,<quick>,5,4,6,1.8,0.8")
    assert second.startswith('"x, depth","0.9, unused","0.25, 3",4,')
    assert rest.startswith("7 other changes,,,4,3,5,1,")


def test_the_page_shows_it_and_no_value_is_markup(tuning: Tuning) -> None:
    text = page([tuning], made="2026-01-02 03:04")
    assert "Which changes matter" in text
    assert "mode = <quick>" not in text
