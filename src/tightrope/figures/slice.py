"""A model's belief along one or two parameters, with the others as in the best config.

======  ===================================================  =========
symbol  meaning                                              shape
======  ===================================================  =========
mean    predicted cost (of a log model: its median)          (n,)
low     one standard deviation below, on the model's scale   (n,)
high    one standard deviation above                         (n,)
gain    expected improvement on the best cost                (n,)
======  ===================================================  =========

NaN where a combination is forbidden or a parameter inactive.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope.errors import SpaceError
from tightrope.records import Config, Run, Status
from tightrope.search.acquisition import expected_improvement, expected_improvement_log
from tightrope.search.options import Options as Plan
from tightrope.search.replay import believe, tally_of
from tightrope.search.tally import Knowledge
from tightrope.space import Space
from tightrope.space.column import Column

Floats = NDArray[np.float64]

_FEW = 12  # integers with fewer values are drawn one by one


@dataclass(frozen=True, slots=True)
class Slice:
    """A belief about the configs of a grid."""

    mean: Floats
    low: Floats
    high: Floats
    gain: Floats


@dataclass(frozen=True, slots=True)
class EvaluatedConfig:
    """A config that was run, and its cost: the mean, a bound if it was capped, NaN if it failed."""

    config: Config
    status: Status
    cost: float
    is_on_slice: bool


def column_of(space: Space, name: str) -> Column:
    """Return the column of a parameter that can be varied."""
    column = next((each for each in space.columns.each if each.name == name), None)
    if column is None:
        hint = f"there are {', '.join(variable_names(space))}"
        raise SpaceError(f"there is no parameter {name!r}", hint=hint)
    if column.kind == "constant":
        hint = f"use one of {', '.join(variable_names(space))}"
        raise SpaceError("a constant cannot be varied", key=name, hint=hint)
    return column


def variable_names(space: Space) -> list[str]:
    """Return the names of all parameters that are not constants."""
    return [column.name for column in space.columns.each if column.kind != "constant"]


def rest_of_title(space: Space, *, n_varied: int) -> str:
    """Return the end of a title: what the parameters that are not varied are set to, if there are any."""
    return ", the rest as in the best config" if len(variable_names(space)) > n_varied else ""


def is_discrete(column: Column) -> bool:
    """Whether the parameter has so few values that they are drawn separately, without a line."""
    return column.levels is not None or (column.is_whole and column.upper - column.lower < _FEW)


def grid_of(column: Column, *, n: int) -> Floats:
    """Return the codes of at most n values, evenly over a parameter's scale; if discrete, of all values."""
    if is_discrete(column):
        return np.arange(column.lower, column.upper + 1.0)
    space = np.geomspace if column.is_log else np.linspace
    points = np.asarray(space(column.lower, column.upper, n)).clip(column.lower, column.upper)
    return np.unique(np.round(points)) if column.is_whole else points


def predict_slice(plan: Plan, runs: Sequence[Run], grid: dict[str, Floats]) -> Slice:
    """Predict the cost of the best config with its values replaced by those of the grid, point by point."""
    space, best = plan.space, tally_of(runs)
    if best.best_config is None:
        raise ValueError("no run has finished yet: there is no best config to vary")
    rows = np.tile(space.encode(best.best_config), (len(next(iter(grid.values()))), 1))
    positions = [space.columns.position[name] for name in grid]
    rows[:, positions] = np.column_stack(list(grid.values()))
    rows = space.activate(rows)
    legal = space.is_legal(rows) & ~np.isnan(rows[:, positions]).any(axis=1)
    if not legal.any():
        names = " and ".join(map(repr, grid))
        raise SpaceError(f"{names} cannot be varied with the other parameters as in the best config")
    mean, s = (_spread(values, legal) for values in believe(plan, runs)(space.for_model(rows[legal])))
    if plan.model.log:
        gain = expected_improvement_log(mean, s, best=best.best)
        return Slice(np.exp(mean), np.exp(mean - s), np.exp(mean + s), np.where(legal, gain, np.nan))
    gain = expected_improvement(mean, s, best=best.best)
    return Slice(mean, mean - s, mean + s, np.where(legal, gain, np.nan))


def evaluated_configs(runs: Sequence[Run], *, varied: Sequence[str]) -> list[EvaluatedConfig]:
    """List every config that was run and has values for these parameters."""
    tally = tally_of(runs)
    fixed = _without(tally.best_config or {}, varied)
    return [
        EvaluatedConfig(config, *_sum_up(known), is_on_slice=_without(config, varied) == fixed)
        for config, known in tally.known()
        if all(name in config for name in varied)
    ]


def _sum_up(known: Knowledge) -> tuple[Status, float]:
    if known.costs:
        return Status.DONE, sum(known.costs) / len(known.costs)
    return (Status.FAILED, np.nan) if known.failed else (Status.CAPPED, known.bound)


def _without(config: Any, names: Sequence[str]) -> dict[str, Any]:
    return {name: value for name, value in config.items() if name not in names}


def _spread(values: Floats, legal: NDArray[np.bool_]) -> Floats:
    spread = np.full(legal.size, np.nan)
    spread[legal] = values
    return spread
