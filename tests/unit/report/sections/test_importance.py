"""The section about which parameters matter."""

import pytest

from reported import tuned
from tightrope.report.sections import model
from tightrope.report.sections.importance import effects_of, importance
from tightrope.report.tuning import Tuning


@pytest.fixture(scope="module")
def tuning() -> Tuning:
    return tuned()


def test_the_parameter_that_matters_comes_first(tuning: Tuning) -> None:
    fitted = model.fit(tuning)
    assert fitted is not None
    main, pairs = importance(tuning, fitted)
    assert main.table.rows[0][0] == "x"
    assert main.table.rows[0][1] > 0.5
    assert pairs.table.rows[0][:2] == ("mode", "x")
    assert "x has the largest" in main.alt


def test_every_parameter_is_in_the_data_but_only_some_are_drawn() -> None:
    space = {f"p{i}": (0.0, 1.0) for i in range(20)} | {"x": (0.0, 1.0), "mode": ["slow", "quick"]}
    many = tuned(space=space, default=None)
    fitted = model.fit(many)
    assert fitted is not None
    main, pairs = importance(many, fitted)
    assert len(main.table.rows) == 22
    assert main.note == "The first 15 of 22 parameters are drawn."
    assert "p19" not in main.svg or main.table.rows[0][1] > 0
    assert len(pairs.table.rows) <= 66


def test_costs_above_the_defaults_can_be_left_out(tuning: Tuning) -> None:
    fitted = model.fit(tuning)
    assert fitted is not None
    best = effects_of(tuning, fitted, at_most=tuning.progress.config, n_in_pairs=0)
    every = effects_of(tuning, fitted, n_in_pairs=0)
    assert {each.names for each in best} == {each.names for each in every}
    assert [each.share for each in best] != [each.share for each in every]


def test_a_space_of_one_parameter_needs_no_section() -> None:
    single = tuned(lambda config, instance, seed: 1.0 + config["x"], space={"x": (0.0, 1.0)}, default=None)
    fitted = model.fit(single)
    assert fitted is not None
    assert importance(single, fitted) == []
