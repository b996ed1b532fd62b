import numpy as np
from ConfigSpace import (
    AndConjunction,
    ConfigurationSpace,
    EqualsCondition,
    GreaterThanCondition,
    InCondition,
    LessThanCondition,
    NotEqualsCondition,
    OrConjunction,
    OrdinalHyperparameter,
)

from tightrope.space import Space

NAN = np.nan


def space_of(*parameters: object, rules: object = ()) -> Space:
    configspace = ConfigurationSpace()
    configspace.add(*parameters)
    configspace.add(rules)
    return Space(configspace)


def letters(*names: str) -> list:
    return list(ConfigurationSpace({name: ["x", "y", "z"] for name in names}).values())


def test_a_chain_of_inactive_parents_is_inactive() -> None:
    a, b, c = letters("a", "b", "c")
    space = space_of(a, b, c, rules=[EqualsCondition(b, a, "x"), EqualsCondition(c, b, "y")])
    rows = np.array([[0.0, 1.0, 2.0], [0.0, 0.0, 2.0], [1.0, 1.0, 2.0]])
    assert space.is_active(rows).tolist() == [[True] * 3, [True, True, False], [True, False, False]]


def test_activating_removes_inactive_values_and_gives_defaults_to_new_ones() -> None:
    a, b, c = letters("a", "b", "c")
    space = space_of(a, b, c, rules=[EqualsCondition(b, a, "x"), EqualsCondition(c, b, "x")])
    rows = np.array([[1.0, 2.0, 2.0], [0.0, NAN, NAN], [NAN, 1.0, NAN]])
    np.testing.assert_array_equal(space.activate(rows), [[1, NAN, NAN], [0, 0, 0], [0, 1, NAN]])
    np.testing.assert_array_equal(rows[0], [1.0, 2.0, 2.0])


def test_comparing_with_an_inactive_parent_is_false_except_for_inequality() -> None:
    a, b, c, d, e = letters("a", "b", "c", "d", "e")
    rules = [EqualsCondition(b, a, "x"), EqualsCondition(c, b, "x"), NotEqualsCondition(d, b, "y")]
    rules.append(InCondition(e, b, ["x"]))
    space = space_of(a, b, c, d, e, rules=rules)
    active = space.is_active(np.array([[1.0, 0.0, 0.0, 0.0, 0.0]]))[0]
    assert dict(zip(space.names, active, strict=True)) == {
        "a": True,
        "b": False,
        "c": False,
        "d": True,
        "e": False,
    }
    assert space.configspace.get_active_hyperparameters(np.array([1, NAN, NAN, 0, NAN])) == {"a", "d"}


def test_a_condition_waits_for_its_deepest_parent() -> None:
    """ConfigSpace's own sampling looks at `c` here before it knows that it is inactive."""
    a, b, c, d = letters("a", "b", "c", "d")
    rules = [
        EqualsCondition(b, a, "x"),
        EqualsCondition(c, b, "x"),
        OrConjunction(EqualsCondition(d, a, "z"), EqualsCondition(d, c, "x")),
    ]
    space = space_of(a, b, c, d, rules=rules)
    rows = np.array([[0, 0, 0, 0], [0, 1, 0, 0], [1, 0, 0, 0], [2, 0, 0, 0]], dtype=float)
    expected = [[1, 1, 1, 1], [1, 1, 0, 0], [1, 0, 0, 0], [1, 0, 0, 1]]
    assert space.is_active(rows).astype(int).tolist() == expected


def test_conditions_may_be_added_in_any_order() -> None:
    a, b, c, d = letters("d", "c", "b", "a")[::-1]
    rules = [EqualsCondition(d, c, "x"), EqualsCondition(c, b, "x"), EqualsCondition(b, a, "x")]
    configspace = ConfigurationSpace()
    configspace.add(a, b, c, d)
    for rule in rules:
        configspace.add(rule)
    space = Space(configspace)
    assert space.is_active(np.array([[1.0, 0.0, 0.0, 0.0]])).tolist() == [[True, False, False, False]]


def test_and_is_not_or_although_their_parts_are_equal() -> None:
    """ConfigSpace's quick check confuses the two."""
    a, b, c, d = letters("a", "b", "c", "d")
    rules = [
        AndConjunction(EqualsCondition(c, a, "x"), EqualsCondition(c, b, "x")),
        OrConjunction(EqualsCondition(d, a, "x"), EqualsCondition(d, b, "x")),
    ]
    space = space_of(a, b, c, d, rules=rules)
    assert space.is_active(np.array([[0.0, 1.0, 0.0, 0.0]])).tolist() == [[True, True, False, True]]


def test_numbers_are_compared_on_their_own_scale() -> None:
    numbers = ConfigurationSpace({"n": (1, 100), "x": (0.0, 1.0), "y": (0.0, 1.0)})
    n, x, y = numbers.values()
    rules = [GreaterThanCondition(x, n, 50), LessThanCondition(y, n, 10)]
    space = space_of(n, x, y, rules=rules)
    rows = np.array([[50, 0.5, 0.5], [51, 0.5, 0.5], [9, 0.5, 0.5]])
    assert space.is_active(rows)[:, 1:].tolist() == [[False, False], [True, False], [False, True]]


def test_ordered_choices_are_compared_by_their_place() -> None:
    size = OrdinalHyperparameter("a", ["tiny", "small", "big"])
    (b,) = letters("b")
    space = space_of(size, b, rules=LessThanCondition(b, size, "big"))
    assert space.is_active(np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]))[:, 1].tolist() == [
        True,
        True,
        False,
    ]


def test_parents_are_known() -> None:
    a, b, c = letters("a", "b", "c")
    space = space_of(a, b, c, rules=EqualsCondition(c, a, "x"))
    assert space.is_parent.tolist() == [True, False, False]
