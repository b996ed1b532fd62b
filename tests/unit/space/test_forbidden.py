import numpy as np
import pytest
from ConfigSpace import (
    ConfigurationSpace,
    EqualsCondition,
    ForbiddenAndConjunction,
    ForbiddenEqualsClause,
    ForbiddenEqualsRelation,
    ForbiddenGreaterThanRelation,
    ForbiddenInClause,
    ForbiddenLessThanRelation,
    OrdinalHyperparameter,
)
from ConfigSpace import forbidden as no

from tightrope.errors import SpaceError
from tightrope.space import Space


def test_a_conjunction_forbids_what_violates_all_its_parts() -> None:
    configspace = ConfigurationSpace({"a": ["x", "y", "z"], "n": (1, 9)})
    configspace.add(
        ForbiddenAndConjunction(
            ForbiddenInClause(configspace["a"], ["y", "z"]), ForbiddenEqualsClause(configspace["n"], 3)
        )
    )
    rows = np.array([[0, 3], [1, 3], [2, 3], [2, 4]], dtype=float)
    assert Space(configspace).is_legal(rows).tolist() == [True, False, False, True]


@pytest.mark.parametrize(
    ("name", "forbidden"),
    [
        ("ForbiddenLessThanClause", [1, 2]),
        ("ForbiddenLessThanEqualsClause", [1, 2, 3]),
        ("ForbiddenGreaterThanClause", [4, 5]),
        ("ForbiddenGreaterThanEqualsClause", [3, 4, 5]),
    ],
)
def test_a_bound_is_forbidden_from_its_side_on(name: str, forbidden: list[int]) -> None:
    configspace = ConfigurationSpace({"n": (1, 5), "m": [0, 1]})
    configspace.add(
        ForbiddenAndConjunction(
            getattr(no, name)(configspace["n"], 3), ForbiddenEqualsClause(configspace["m"], 1)
        )
    )
    rows = np.array([[1.0, n] for n in range(1, 6)])
    assert (1 + np.flatnonzero(Space(configspace).is_forbidden(rows))).tolist() == forbidden


def test_relations_compare_what_levels_mean_and_not_their_order() -> None:
    configspace = ConfigurationSpace()
    left, right = OrdinalHyperparameter("a", [30, 20, 10]), OrdinalHyperparameter("b", [10, 20, 30])
    configspace.add(left, right, ForbiddenLessThanRelation(left, right))
    rows = np.array([[0, 2], [1, 1], [1, 2], [2, 0], [2, 1]], dtype=float)
    assert Space(configspace).is_legal(rows).tolist() == [True, True, False, True, False]


@pytest.mark.parametrize(
    ("name", "forbidden"),
    [
        ("ForbiddenEqualsRelation", [2]),
        ("ForbiddenLessThanRelation", [3, 4]),
        ("ForbiddenLessThanEqualsRelation", [2, 3, 4]),
        ("ForbiddenGreaterThanRelation", [0, 1]),
        ("ForbiddenGreaterThanEqualsRelation", [0, 1, 2]),
    ],
)
@pytest.mark.parametrize("right", [(0, 4), [0, 1, 2, 3, 4]])
def test_each_relation_forbids_its_side(name: str, forbidden: list[int], right: object) -> None:
    configspace = ConfigurationSpace({"a": [2, 1], "b": right, "c": [0, 1]})
    relation = getattr(no, name)(configspace["a"], configspace["b"])
    configspace.add(ForbiddenAndConjunction(relation, ForbiddenEqualsClause(configspace["c"], 1)))
    rows = np.array([[0.0, b, 1.0] for b in range(5)])
    assert np.flatnonzero(Space(configspace).is_forbidden(rows)).tolist() == forbidden


def test_relations_join_levels_with_numbers() -> None:
    configspace = ConfigurationSpace({"a": [8, 2.5, 1], "x": (0.0, 10.0)})
    configspace.add(ForbiddenGreaterThanRelation(configspace["x"], configspace["a"]))
    rows = np.array([[0, 7.9], [0, 8.1], [1, 2.5], [1, 2.6], [2, 0.5]])
    assert Space(configspace).is_legal(rows).tolist() == [True, False, True, False, True]


def test_relations_join_numbers() -> None:
    configspace = ConfigurationSpace({"low": (0.0, 1.0), "high": (0, 2)})
    configspace.add(ForbiddenLessThanRelation(configspace["high"], configspace["low"]))
    assert Space(configspace).is_legal(np.array([[1.0, 1.0], [0.0, 0.5], [0.0, 0.0]])).tolist() == [
        True,
        False,
        True,
    ]


def test_a_word_equals_no_number() -> None:
    configspace = ConfigurationSpace({"a": ["auto", 1], "n": (0, 2)})
    configspace.add(ForbiddenEqualsRelation(configspace["a"], configspace["n"]))
    assert Space(configspace).is_legal(np.array([[0.0, 1.0], [1.0, 1.0], [1.0, 2.0]])).tolist() == [
        True,
        False,
        True,
    ]


def test_inactive_values_violate_nothing() -> None:
    configspace = ConfigurationSpace({"a": ["x", "y"], "m": (1, 5), "n": (1, 5)})
    configspace.add(EqualsCondition(configspace["n"], configspace["a"], "x"))
    configspace.add(ForbiddenGreaterThanRelation(configspace["n"], configspace["m"]))
    rows = np.array([[0, 2, 3], [1, 2, np.nan]])
    assert Space(configspace).is_legal(rows).tolist() == [False, True]


def test_words_and_numbers_cannot_be_ordered() -> None:
    configspace = ConfigurationSpace({"a": ["x", "y"], "b": ["p", "q"], "n": (0, 2)})
    configspace.add(EqualsCondition(configspace["n"], configspace["a"], "y"))  # ConfigSpace does not look yet
    configspace.add(ForbiddenLessThanRelation(configspace["n"], configspace["b"]))
    with pytest.raises(SpaceError, match="'n' and 'b' cannot be compared"):
        Space(configspace)


def test_clauses_that_we_do_not_know_are_refused() -> None:
    class Odd(ForbiddenEqualsClause):
        """A user-defined clause."""

    configspace = ConfigurationSpace({"a": ["x", "y"]})
    configspace.add(Odd(configspace["a"], "y"))
    with pytest.raises(SpaceError, match="type Odd are not supported"):
        Space(configspace)
