import numpy as np
import pytest
from ConfigSpace import (
    BetaFloatHyperparameter,
    BetaIntegerHyperparameter,
    CategoricalHyperparameter,
    ConfigurationSpace,
    EqualsCondition,
    ForbiddenAndConjunction,
    ForbiddenEqualsClause,
    ForbiddenInClause,
    NormalFloatHyperparameter,
    NormalIntegerHyperparameter,
    OrdinalHyperparameter,
    UniformFloatHyperparameter,
    UniformIntegerHyperparameter,
)
from ConfigSpace.hyperparameters import NumericalHyperparameter
from scipy.stats import ks_2samp

from tightrope.errors import SpaceError
from tightrope.space import Space

PARAMETERS = [
    CategoricalHyperparameter("a", ["x", "y", "z"]),
    CategoricalHyperparameter("a", ["x", "y", "z"], weights=[1, 0, 5]),
    OrdinalHyperparameter("a", [5, 3, 4, 1]),
    UniformFloatHyperparameter("a", -3.0, 5.0),
    UniformFloatHyperparameter("a", 1e-4, 10.0, log=True),
    UniformIntegerHyperparameter("a", -2, 4),
    UniformIntegerHyperparameter("a", 1, 20, log=True),
    UniformIntegerHyperparameter("a", 3, 3000, log=True),
    NormalFloatHyperparameter("a", 0.0, 1.0, lower=-1.0, upper=4.0),
    NormalIntegerHyperparameter("a", 5, 3, lower=1, upper=12),
    BetaFloatHyperparameter("a", 3, 2, lower=0.1, upper=9.0, log=True),
    BetaIntegerHyperparameter("a", 3, 2, lower=1, upper=9),
]


@pytest.mark.parametrize("parameter", PARAMETERS, ids=lambda p: f"{type(p).__name__}-{p.size}")
def test_values_are_distributed_as_those_of_configspace(parameter) -> None:
    """The distance of 20,000 draws from as many exceeds 0.0195 once in a thousand times; seeds are fixed."""
    ours = Space(ConfigurationSpace([parameter])).sample(20_000, np.random.default_rng(0))[:, 0]
    theirs = parameter.sample_vector(20_000, seed=np.random.RandomState(1))
    if isinstance(parameter, NumericalHyperparameter):
        theirs = parameter.to_value(theirs)
    assert ks_2samp(ours, theirs).statistic < 0.0195


def test_conditions_and_forbidden_clauses_weigh_as_in_configspace() -> None:
    configspace = ConfigurationSpace({"a": ["x", "y", "z"], "b": (1, 4), "c": ["x", "y"]}, seed=1)
    a, b, c = configspace["a"], configspace["b"], configspace["c"]
    configspace.add(EqualsCondition(c, a, "x"))
    configspace.add(ForbiddenAndConjunction(ForbiddenInClause(a, ["y", "z"]), ForbiddenEqualsClause(b, 2)))
    configspace.add(ForbiddenAndConjunction(ForbiddenEqualsClause(b, 4), ForbiddenEqualsClause(c, "y")))
    ours = Space(configspace).sample(10_000, np.random.default_rng(0))
    theirs = np.array([config.get_array() for config in configspace.sample_configuration(10_000)])
    theirs[:, 1] = 1 + 3 * theirs[:, 1]
    weights = np.array([100.0, 10.0, 1.0])
    keys = [np.rint(np.nan_to_num(rows, nan=5.0) @ weights) for rows in (ours, theirs)]
    values = np.unique(np.concatenate(keys))
    shares = [[np.mean(key == value) for value in values] for key in keys]
    np.testing.assert_allclose(shares[0], shares[1], atol=0.02)  # 4 standard errors


def test_the_generator_alone_decides_what_is_drawn() -> None:
    space = Space(ConfigurationSpace([*PARAMETERS[9:10], UniformFloatHyperparameter("b", 0.0, 1.0)]))
    first, again, other = (space.sample(50, np.random.default_rng(seed)) for seed in (3, 3, 4))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


def test_as_many_rows_are_drawn_as_were_asked_for_although_many_are_forbidden() -> None:
    configspace = ConfigurationSpace({"n": (0, 999), "x": (0.0, 1.0)})
    configspace.add(ForbiddenInClause(configspace["n"], [i for i in range(1000) if i % 100]))
    space = Space(configspace)
    rows = space.sample(500, np.random.default_rng(0))
    assert rows.shape == (500, 2)
    assert space.is_legal(rows).all()
    assert len(np.unique(rows[:, 0])) == 10


def test_no_row_can_be_asked_for() -> None:
    assert Space.of({"x": (0.0, 1.0), "n": (1, 2)}).sample(0, np.random.default_rng(0)).shape == (0, 2)


def test_a_space_that_forbids_nearly_everything_says_so() -> None:
    configspace = ConfigurationSpace({f"n{i}": (0, 99) for i in range(4)})
    for parameter in list(configspace.values()):
        others = [value for value in range(100) if value != parameter.default_value]
        configspace.add(ForbiddenInClause(parameter, others))
    with pytest.raises(SpaceError, match="nearly all configs are forbidden: 0 of") as caught:
        Space(configspace).sample(10, np.random.default_rng(0))
    assert caught.value.hint


def test_bounds_are_never_left() -> None:
    space = Space.of({"x": (0.1, 0.7, "log"), "y": (0.1, 0.7), "n": (3, 5, "log"), "m": (-1, 1)})
    corners = np.array([[0.0] * 4, [1.0] * 4, [1.0 - 2**-53] * 4])
    assert space.is_legal(space.from_unit(corners)).all()
