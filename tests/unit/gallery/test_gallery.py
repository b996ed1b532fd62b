"""The figures of the report from Python: from results, histories and run folders."""

import pickle
from pathlib import Path
from typing import Any

import pytest

from reported import scenario, seconds
from tightrope import Capped, MinimizeResult, TuneResult, figures, minimize, tune
from tightrope.errors import UsageError
from tightrope.gallery.picture import Picture
from tightrope.run import Virtual
from tightrope.store import History

OF_RESULTS = (
    "caps", "coordinates", "coverage", "heatmap", "importance", "incumbents", "instances", "interactions",
    "model_error", "share_cut", "slices", "survival",
)  # fmt: skip


@pytest.fixture(scope="module")
def result() -> TuneResult:
    return tune(scenario(), executor=Virtual(seconds, slots=2), seed=1)


@pytest.fixture(scope="module")
def again() -> TuneResult:
    return tune(scenario(), executor=Virtual(seconds, slots=2), seed=2)


@pytest.fixture(scope="module")
def minimized() -> MinimizeResult:
    def f(config: Any, cap: float) -> Any:
        cost = 1.0 + 20.0 * (config["x"] - 0.3) ** 2 + config["y"]
        return cost if cost < cap else Capped(at=cap)

    return minimize(f, {"x": (0.0, 1.0), "y": (0.0, 1.0)}, budget=150, model="forest")


@pytest.mark.parametrize("name", OF_RESULTS)
def test_a_result_has_every_figure(result: TuneResult, name: str) -> None:
    picture = getattr(figures, name)(result)
    assert picture.svg.startswith("<svg")
    assert len(picture.to_frame()) > 0


@pytest.mark.parametrize("name", OF_RESULTS)
def test_a_history_has_every_figure(result: TuneResult, name: str) -> None:
    assert len(getattr(figures, name)(result.history).to_frame()) > 0


def test_a_history_knows_its_best_config(result: TuneResult) -> None:
    frame = figures.instances(result.history, scenario=scenario()).to_frame()
    assert (frame["best"] <= frame["default"]).mean() > 0.5
    assert set(frame["config"]) == set(figures.instances(result).to_frame()["config"])


def test_costs_of_the_figure_are_those_of_the_result(result: TuneResult) -> None:
    frame = figures.incumbents(result).to_frame()
    assert frame["cost"].iloc[-1] == pytest.approx(result.cost)
    assert len(figures.caps(result).to_frame()) == len(result.history)


@pytest.mark.parametrize("name", ["incumbents", "instances", "returned", "share_cut", "survival"])
def test_several_results_are_overlaid(result: TuneResult, again: TuneResult, name: str) -> None:
    frame = getattr(figures, name)(result, again).to_frame()
    assert {"result 1", "result 2"} <= set(frame["tuning"])


@pytest.mark.parametrize("name", ["caps", "coordinates", "incumbents", "slices"])
def test_a_result_of_minimize_has_figures(minimized: MinimizeResult, name: str) -> None:
    assert len(getattr(figures, name)(minimized).to_frame()) > 0


def test_a_picture_is_saved_as_drawing_or_data(result: TuneResult, tmp_path: Path) -> None:
    picture = figures.caps(result)
    assert picture.save(tmp_path / "caps.svg").read_text() == picture.svg
    assert picture.save(tmp_path / "caps.csv").read_text().startswith("config,instance,seed")
    with pytest.raises(ValueError, match=r"caps\.png: convert the SVG"):
        picture.save(tmp_path / "caps.png")


def test_a_notebook_shows_a_picture(result: TuneResult) -> None:
    picture = figures.caps(result)
    assert isinstance(picture, Picture)
    html = picture._repr_html_()
    assert picture.svg in html
    assert "Caps over time" in html


def test_a_page_is_written_from_a_result(result: TuneResult, tmp_path: Path) -> None:
    text = figures.write_page(tmp_path / "page.html", result).read_text()
    assert 'id="slices"' in text
    assert "Stopped because 150 runs are done" in text


def test_what_cannot_be_drawn_says_what_it_needs(result: TuneResult) -> None:
    with pytest.raises(ValueError, match="which only a run folder has"):
        figures.timeline(result)
    with pytest.raises(ValueError, match="tightrope ablate DIR"):
        figures.ablation_path(result)
    with pytest.raises(ValueError, match="runs on test instances"):
        figures.survival(result, on="test")
    with pytest.raises(ValueError, match="no run has ended"):
        figures.caps(History())
    with pytest.raises(TypeError, match="a History or a run folder"):
        figures.caps(3)
    with pytest.raises(UsageError, match="there is no folder nowhere"):
        figures.caps("nowhere")


def test_a_name_that_is_no_figure_is_an_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'pie'"):
        figures.pie  # noqa: B018


def test_a_result_can_be_pickled_with_its_scenario(result: TuneResult) -> None:
    assert pickle.loads(pickle.dumps(result)).scenario.ceiling == 120.0
