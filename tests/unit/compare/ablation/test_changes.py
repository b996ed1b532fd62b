"""Changes: parts that can be made one by one, and stay legal."""

from itertools import chain, combinations

import pytest
from ConfigSpace import (
    Categorical,
    ConfigurationSpace,
    EqualsCondition,
    ForbiddenAndConjunction,
    ForbiddenEqualsClause,
    Integer,
)

from tightrope.compare.ablation.changes import Change, Changes
from tightrope.records import Config
from tightrope.space import Space


@pytest.fixture
def conditional() -> Space:
    """Return a switch with a child, the child's own child, and a number of its own."""
    space = ConfigurationSpace()
    space.add(Categorical("mode", ["plain", "clever"], default="plain"), Integer("depth", (0, 9), default=1))
    space.add(Categorical("cut", ["no", "yes"], default="no"), Integer("effort", (0, 9), default=2))
    space.add(EqualsCondition(space["cut"], space["mode"], "clever"))
    space.add(EqualsCondition(space["effort"], space["cut"], "yes"))
    return Space(space)


def test_children_that_a_parent_switches_on_change_together_with_it(conditional: Space) -> None:
    default, best = {"mode": "plain", "depth": 1}, {"mode": "clever", "cut": "yes", "effort": 7, "depth": 5}
    changes = Changes(conditional, Config(default), Config(best))
    parts = sorted(sorted(each.name for each in changes.describe([number])) for number in changes.all)
    assert parts == [["cut", "effort", "mode"], ["depth"]]
    assert changes.config([]) == default
    assert changes.config(changes.all) == best


def test_inactive_values_are_shown_as_none(conditional: Space) -> None:
    changes = Changes(
        conditional,
        Config({"mode": "plain", "depth": 1}),
        Config({"mode": "clever", "cut": "no", "depth": 1}),
    )
    assert set(changes.describe(changes.all)) == {
        Change("cut", None, "no"),
        Change("mode", "plain", "clever"),
    }


def test_a_child_that_both_configs_use_can_change_alone(conditional: Space) -> None:
    default = {"mode": "clever", "cut": "yes", "effort": 2, "depth": 1}
    changes = Changes(conditional, Config(default), Config({**default, "effort": 9, "depth": 3}))
    assert len(changes) == 2


def test_every_combination_of_parts_is_legal_or_refused(conditional: Space) -> None:
    space = conditional.configspace
    space.add(
        ForbiddenAndConjunction(
            ForbiddenEqualsClause(space["mode"], "clever"), ForbiddenEqualsClause(space["depth"], 1)
        )
    )
    legal = Space(space)
    best = Config({"mode": "clever", "cut": "yes", "effort": 7, "depth": 5})
    changes = Changes(legal, Config({"mode": "plain", "depth": 1}), best)
    every = chain.from_iterable(combinations(sorted(changes.all), n) for n in range(len(changes) + 1))
    configs = [changes.config(chosen) for chosen in every]
    assert configs.count(None) == 1
    legal.encode([config for config in configs if config is not None])
