"""Random spaces with nested conditions and forbidden clauses; ConfigSpace itself is the reference."""

from typing import Any

import numpy as np
from ConfigSpace import ConfigurationSpace
from ConfigSpace import conditions as on
from ConfigSpace import forbidden as no
from ConfigSpace import hyperparameters as hp
from ConfigSpace.configuration import Configuration
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tightrope.space import Space, latin_hypercube, neighbours, sobol

few = settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
seeds = st.integers(0, 2**32 - 1)
LEVELS = (["a", "b"], [1, 2, 5], [True, False], ["x", 1, 2.5, None], [0.5, 1.5, 2.5], [7])
COMPARISONS = [no.ForbiddenLessThanClause, no.ForbiddenLessThanEqualsClause,
               no.ForbiddenGreaterThanClause, no.ForbiddenGreaterThanEqualsClause]  # fmt: skip
RELATIONS = [no.ForbiddenEqualsRelation, no.ForbiddenLessThanRelation, no.ForbiddenLessThanEqualsRelation,
             no.ForbiddenGreaterThanRelation, no.ForbiddenGreaterThanEqualsRelation]  # fmt: skip
JUNCTIONS = [no.ForbiddenAndConjunction, no.ForbiddenOrConjunction]


@st.composite
def parameters(draw: st.DrawFn, name: str) -> hp.Hyperparameter:
    lower, width = draw(st.integers(1, 5)), draw(st.integers(1, 20))
    log = draw(st.booleans())
    match draw(st.integers(0, 8)):
        case 0 | 1:
            return hp.CategoricalHyperparameter(name, draw(st.sampled_from(LEVELS)))
        case 2:
            return hp.CategoricalHyperparameter(name, ["a", "b", "c"], weights=[1, 3, 2])
        case 3:
            return hp.OrdinalHyperparameter(name, draw(st.sampled_from(LEVELS)))
        case 4:
            return hp.Constant(name, draw(st.sampled_from(["only", 3, 2.5])))
        case 5 | 6:
            return hp.UniformIntegerHyperparameter(name, lower, lower + width, log=log)
        case 7:
            return hp.UniformFloatHyperparameter(name, lower / 8, lower + width / 2, log=log)
        case _:
            return hp.BetaIntegerHyperparameter(name, 2, 3, lower, lower + width)


def values_of(parameter: hp.Hyperparameter) -> list[Any]:
    if isinstance(parameter, hp.Constant):
        return [parameter.value]
    if isinstance(parameter, hp.CategoricalHyperparameter):
        return list(parameter.choices)
    if isinstance(parameter, hp.OrdinalHyperparameter):
        return list(parameter.sequence)
    return [parameter.lower, parameter.default_value, parameter.upper]


@st.composite
def conditions(draw: st.DrawFn, child: hp.Hyperparameter, parents: list[Any], depth: int = 2) -> Any:
    if depth and draw(st.booleans()):
        parts = draw(st.lists(conditions(child, parents, depth - 1), min_size=2, max_size=3))
        return draw(st.sampled_from((on.AndConjunction, on.OrConjunction)))(*parts)
    parent = draw(st.sampled_from(parents))
    value = draw(st.sampled_from(values_of(parent)))
    kinds: list[Any] = [on.EqualsCondition, on.NotEqualsCondition, on.InCondition]
    if parent.ORDERABLE:
        kinds += [on.LessThanCondition, on.GreaterThanCondition]
    kind = draw(st.sampled_from(kinds))
    if kind is on.InCondition:
        return kind(
            child, parent, draw(st.lists(st.sampled_from(values_of(parent)), min_size=1, unique_by=repr))
        )
    return kind(child, parent, value)


@st.composite
def clauses(draw: st.DrawFn, known: list[Any], depth: int = 2) -> Any:
    if depth and draw(st.booleans()):
        parts = draw(st.lists(clauses(known, depth - 1), min_size=2, max_size=3))
        return draw(st.sampled_from(JUNCTIONS))(*parts)
    comparable = [parameter for parameter in known if is_whole_number(parameter)]
    if len(comparable) > 1 and draw(st.booleans()):
        left, right = draw(st.lists(st.sampled_from(comparable), min_size=2, max_size=2, unique_by=id))
        return draw(st.sampled_from(RELATIONS))(left, right)
    parameter = draw(st.sampled_from(known))
    value = draw(st.sampled_from(values_of(parameter)))
    if parameter.ORDERABLE and draw(st.booleans()):
        return draw(st.sampled_from(COMPARISONS))(parameter, value)
    if draw(st.booleans()):
        return no.ForbiddenInClause(parameter, [value])
    return no.ForbiddenEqualsClause(parameter, value)


def is_whole_number(parameter: hp.Hyperparameter) -> bool:
    """Whether ConfigSpace carries its values through a vector without rounding."""
    if isinstance(parameter, hp.FloatHyperparameter):
        return False
    return all(isinstance(value, int | float | np.integer) for value in values_of(parameter))


@st.composite
def spaces(draw: st.DrawFn) -> ConfigurationSpace:
    """Draw a space; rules that ConfigSpace refuses, or that forbid nearly everything, are left out."""
    known = [draw(parameters(f"p{i}")) for i in range(draw(st.integers(2, 7)))]
    rules: list[Any] = []
    for i in range(1, len(known)):
        if draw(st.booleans()):
            rules = accepted(known, rules, draw(conditions(known[i], known[:i])))
    for clause in draw(st.lists(clauses(known), max_size=3)):
        rules = accepted(known, rules, clause)
    return assemble(known, rules)


def assemble(known: list[Any], rules: list[Any]) -> ConfigurationSpace:
    space = ConfigurationSpace(seed=0)
    space.add(known, rules)
    return space


def accepted(known: list[Any], rules: list[Any], rule: Any) -> list[Any]:
    try:
        space = assemble(known, [*rules, rule])
    except ValueError:
        return rules
    cube = np.random.default_rng(0).random((200, len(known)))
    compiled = Space(space)
    return [*rules, rule] if compiled.is_forbidden(compiled.from_unit(cube)).mean() < 0.9 else rules


def vector_of(space: Space, row: Any) -> Any:
    """Return ConfigSpace's vector of a row, whether that is legal or not."""
    vector = row.copy()
    for j, parameter in enumerate(space.configspace.values()):
        if isinstance(parameter, hp.Constant):
            vector[j] = 1.0 - row[j]
        elif isinstance(parameter, hp.NumericalHyperparameter) and not np.isnan(row[j]):
            vector[j] = parameter.to_vector(row[j])
    return vector


def is_legal_there(space: Space, row: Any) -> bool:
    configuration = Configuration(space.configspace, vector=vector_of(space, row))
    try:
        # The quick check of ConfigSpace takes 'and' for 'or' when two conditions have equal parts.
        space.configspace._check_configuration_rigorous(configuration)
    except ValueError:
        return False
    return True


@few
@given(spaces(), seeds)
def test_decoding_inverts_encoding(configspace: ConfigurationSpace, seed: int) -> None:
    space = Space(configspace)
    rows = space.sample(10, np.random.default_rng(seed))
    configs = [space.decode(row) for row in rows]
    np.testing.assert_array_equal(space.encode(configs), rows)
    again = [space.decode(row) for row in space.encode(configs)]
    assert again == configs
    assert [[type(value) for value in config.values()] for config in again] == [
        [type(value) for value in config.values()] for config in configs
    ]


@few
@given(spaces(), seeds)
def test_the_active_parameters_are_those_of_configspace(configspace: ConfigurationSpace, seed: int) -> None:
    space = Space(configspace)
    rows = space.sample(10, np.random.default_rng(seed))
    for row, active in zip(rows, space.is_active(rows), strict=True):
        names = {name for name, is_active in zip(space.names, active, strict=True) if is_active}
        assert names == configspace.get_active_hyperparameters(vector_of(space, row))
        assert names == set(space.decode(row))


@few
@given(spaces())
def test_the_default_is_that_of_configspace(configspace: ConfigurationSpace) -> None:
    space = Space(configspace)
    assert space.decode(space.default()) == dict(configspace.get_default_configuration())


@few
@given(spaces(), seeds)
def test_samples_and_designs_are_legal(configspace: ConfigurationSpace, seed: int) -> None:
    space, rng = Space(configspace), np.random.default_rng(seed)
    rows = np.vstack([space.sample(8, rng), latin_hypercube(space, 8, rng), sobol(space, 8, rng)])
    assert space.is_legal(rows).all()
    assert all(is_legal_there(space, row) for row in rows)


@few
@given(spaces(), seeds)
def test_neighbours_are_legal_and_differ_in_one_parameter(configspace: ConfigurationSpace, seed: int) -> None:
    space, rng = Space(configspace), np.random.default_rng(seed)
    rows = space.sample(3, rng)
    found, origin = neighbours(space, rows, rng)
    assert all(is_legal_there(space, row) for row in found)
    changed = (found != rows[origin]) & ~np.isnan(found) & ~np.isnan(rows[origin])
    assert (changed.sum(axis=1) == 1).all()


@few
@given(spaces(), seeds)
def test_a_config_has_no_neighbour_twice(configspace: ConfigurationSpace, seed: int) -> None:
    space, rng = Space(configspace), np.random.default_rng(seed)
    found, origin = neighbours(space, space.sample(3, rng), rng)
    assert len({(int(i), space.decode(row)) for i, row in zip(origin, found, strict=True)}) == len(found)


@few
@given(spaces(), seeds)
def test_legality_is_that_of_configspace_also_for_corrupted_rows(
    configspace: ConfigurationSpace, seed: int
) -> None:
    space, rng = Space(configspace), np.random.default_rng(seed)
    rows, others = space.sample(12, rng), space.columns.scale.from_unit(rng.random((12, len(space))))
    column = rng.integers(len(space), size=12)
    kind = np.arange(12) % 4
    upper = space.columns.scale.upper[column]
    replacement = np.choose(kind, [others[np.arange(12), column], np.nan, upper + 1.0, upper - 0.5])
    rows[np.arange(12), column] = replacement
    assert space.is_legal(rows).tolist() == [is_legal_there(space, row) for row in rows]


@few
@given(spaces(), seeds)
def test_activation_leaves_legal_rows_alone_and_completes_others(
    configspace: ConfigurationSpace, seed: int
) -> None:
    space, rng = Space(configspace), np.random.default_rng(seed)
    rows = space.sample(8, rng)
    np.testing.assert_array_equal(space.activate(rows), rows)
    values = space.columns.scale.from_unit(rng.random(rows.shape))
    values[rng.random(rows.shape) < 0.3] = np.nan
    settled = space.activate(values)
    assert (space.is_active(settled) == ~np.isnan(settled)).all()


@few
@given(spaces(), seeds)
def test_rows_come_back_from_the_unit_cube(configspace: ConfigurationSpace, seed: int) -> None:
    space = Space(configspace)
    rows = space.sample(8, np.random.default_rng(seed))
    unit = space.to_unit(rows)
    assert ((unit >= 0.0) & (unit <= 1.0) | np.isnan(unit)).all()
    np.testing.assert_allclose(space.columns.scale.from_unit(unit), rows, rtol=1e-12)
