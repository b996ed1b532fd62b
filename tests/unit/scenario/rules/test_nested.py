"""Conditions that are nested more deeply than ConfigSpace can arrange, as in the example `leading_ones`."""

from copy import deepcopy
from itertools import pairwise

import numpy as np
import pytest

from tightrope import Budget, Scenario, tune
from tightrope.records import Config
from tightrope.run import Virtual
from tightrope.scenario import parse_pcs, write_irace, write_pcs, write_scenario
from tightrope.scenario.irace.read import parse_irace
from tightrope.scenario.rules.nested import NestedSpace
from tightrope.space import Space

N = 16


def leading_ones(n: int) -> str:
    """Write a bit string in which a bit counts only if the one before it is 1."""
    names = [f"b{i:02}" for i in range(n)]
    lines = [f"{name} {{0, 1}}[0]" for name in names]
    return "\n".join([*lines, *(f"{b} | {a} in {{1}}" for a, b in pairwise(names))])


@pytest.mark.parametrize("n", [N, 100])
def test_a_bit_is_active_while_all_before_it_are_one(n: int) -> None:
    space = Space(parse_pcs(leading_ones(n)))
    assert dict(space.decode(space.default())) == {"b00": "0"}
    ones = space.complete({f"b{i:02}": "1" for i in range(5)})
    assert dict(ones) == {f"b{i:02}": "1" for i in range(5)} | {"b05": "0"}
    for row in space.sample(50, np.random.default_rng(0)):
        config = space.decode(row)
        *before, last = config.values()
        assert set(before) <= {"1"}
        assert last == "0" or len(config) == n


def test_a_short_chain_is_left_to_configspace() -> None:
    assert not isinstance(parse_pcs(leading_ones(8)), NestedSpace)


def test_it_can_be_written_and_read_again() -> None:
    space = parse_pcs(leading_ones(N))
    assert isinstance(space, NestedSpace)
    assert len(space.conditional_hyperparameters) == N - 1
    assert list(space.unconditional_hyperparameters) == ["b00"]
    text = write_pcs(space)
    assert write_pcs(parse_pcs(text)) == text
    assert len(parse_irace(write_irace(space)).conditions) == N - 1
    assert Space(deepcopy(space)).configspace == space
    scenario = Scenario(space=space, target="true {parameters}", ceiling=1.0, budget=Budget(runs=3))
    assert write_scenario(scenario).count("when = ") == N - 1


def test_leading_ones_can_be_tuned() -> None:
    def cost(config: Config, instance: str, seed: int) -> float:
        return float(N + 1 - sum(value == "1" for value in config.values()))

    scenario = Scenario(space=parse_pcs(leading_ones(N)), ceiling=100.0, budget=Budget(runs=60))
    assert tune(scenario, executor=Virtual(cost)).cost < N + 1
