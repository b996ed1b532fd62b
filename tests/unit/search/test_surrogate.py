"""The two models behind the protocol."""

import pickle

import numpy as np
import pytest

from tightrope.search.design import DoublingDesign, PlainDesign, RisingDesign
from tightrope.search.model import Observations
from tightrope.search.options import choose_caps, choose_design, choose_model
from tightrope.search.surrogate import ForestModel, ProcessModel, count_trees, last_milestone
from tightrope.space import Space

NUMBERS = Space.of({"x": (0.0, 1.0), "n": (1, 9)})
CHOICES = Space.of({"x": (0.0, 1.0), "kind": ["a", "b"]})


def observations(n: int) -> Observations:
    rng = np.random.default_rng(0)
    X = rng.random((n, 2))
    y = np.exp(2.0 * X[:, 0] - X[:, 1])
    censored = y > np.median(y)
    return Observations(X, np.minimum(y, np.median(y)), censored, np.zeros(2, dtype=bool))


def test_auto_takes_the_process_for_numbers_and_the_forest_for_choices() -> None:
    assert isinstance(choose_model("auto", NUMBERS, log=True), ProcessModel)
    assert isinstance(choose_model("auto", CHOICES, log=True), ForestModel)


def test_a_process_that_went_through_every_step_believes_what_a_fresh_one_does() -> None:
    seen = observations(34)
    old = ProcessModel()
    for n in range(5, 35):
        old_belief = old.fit(seen.head(n), seed=n)
    fresh_belief = ProcessModel().fit(seen, seed=99)
    points = np.random.default_rng(1).random((20, 2))
    for old_part, fresh_part in zip(old_belief(points), fresh_belief(points), strict=True):
        np.testing.assert_array_equal(old_part, fresh_part)


def test_hyperparameters_are_searched_for_only_at_milestones(monkeypatch: pytest.MonkeyPatch) -> None:
    searched = []
    fit = ProcessModel._search

    def count(self: ProcessModel, observations: Observations) -> object:
        searched.append(len(observations.y))
        return fit(self, observations)

    monkeypatch.setattr(ProcessModel, "_search", count)
    model, seen = ProcessModel(), observations(30)
    for n in range(18, 31):
        model.fit(seen.head(n), seed=0)
    assert searched == [18, 19, 20, 22, 24, 26, 28, 30]


def test_many_observations_get_fewer_trees() -> None:
    assert [count_trees(n) for n in (1, 600, 1000, 100_000)] == [50, 50, 30, 20]


def test_milestones_grow_by_a_tenth() -> None:
    assert [last_milestone(n) for n in (1, 7, 20, 21, 22, 23, 100)] == [1, 7, 20, 20, 22, 22, 94]


def test_without_noise_the_process_goes_through_what_it_was_told() -> None:
    seen = observations(20)
    known = ~seen.censored
    mean, s = ProcessModel(noisy=False).fit(seen, seed=0)(seen.X[known])
    np.testing.assert_allclose(mean, np.log(seen.y[known]), atol=0.01)
    assert s.max() < 0.01


@pytest.mark.parametrize(
    ("design", "capped", "kind"),
    [
        ("doubling", True, DoublingDesign),
        ("rising", True, RisingDesign),
        ("lhd", True, PlainDesign),
        ("sobol", True, PlainDesign),
        ("doubling", False, PlainDesign),
        ("rising", False, PlainDesign),
    ],
)
def test_designs_are_chosen_by_name(design: str, capped: bool, kind: type) -> None:
    found = choose_design(design, NUMBERS, n=5, first_cap=None, ceiling=64.0, capped=capped, seed=0)
    assert isinstance(found, kind)


def test_the_first_cap_is_a_small_share_of_the_ceiling() -> None:
    found = choose_design("doubling", NUMBERS, n=5, first_cap=None, ceiling=1024.0, capped=True, seed=0)
    assert isinstance(found, DoublingDesign)
    assert found.first_cap == 1.0


def test_rounds_of_the_rising_design_are_drawn_anew() -> None:
    found = choose_design("rising", NUMBERS, n=5, first_cap=1.0, ceiling=64.0, capped=True, seed=0)
    assert isinstance(found, RisingDesign)
    assert set(found.rounds(0)).isdisjoint(found.rounds(1))


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(ValueError, match="'slack' or 'information'"):
        choose_caps("guess", slack=1.3, ceiling=1.0, log=True)


def test_a_plan_can_be_pickled() -> None:
    design = choose_design("rising", NUMBERS, n=5, first_cap=1.0, ceiling=64.0, capped=True, seed=0)
    assert isinstance(design, RisingDesign)
    again = pickle.loads(pickle.dumps(design))
    assert again.rounds(1) == design.rounds(1)
