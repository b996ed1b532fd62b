"""The arms of the comparison: our optimiser with different settings, and random search.

An arm yields its evaluations one by one.
"""

from collections.abc import Callable, Hashable, Iterator
from functools import partial
from math import inf
from typing import Any, NamedTuple

import numpy as np

from black_box.problems import Problem
from tightrope import Optimizer
from tightrope.search.surrogate import ForestModel
from tightrope.space import Space


class Evaluation(NamedTuple):
    """The amount charged, the cost (inf if the evaluation was stopped at its cap), and the config."""

    charged: float
    cost: float
    config: Hashable


Arm = Callable[[Problem, int], Iterator[Evaluation]]


def ours(problem: Problem, seed: int, **settings: Any) -> Iterator[Evaluation]:
    """Run our optimiser; evaluations stop at their caps."""
    optimizer = Optimizer(problem.space, seed=seed, **settings)
    while (trial := optimizer.ask()) is not None:
        cost = problem.cost(trial.config)
        capped = cost > trial.cap
        optimizer.tell(trial, None if capped else cost, capped=capped)
        yield Evaluation(*((trial.cap, inf) if capped else (cost, cost)), trial.config)


def treated(problem: Problem, seed: int, *, treatment: str) -> Iterator[Evaluation]:
    """Run the paper's optimiser with another treatment of censored evaluations."""
    yield from ours(problem, seed, model=ForestModel(options={"treatment": treatment}), **PAPER)


def random_search(problem: Problem, seed: int) -> Iterator[Evaluation]:
    """Evaluate random configs, stopped at the best cost so far."""
    space, rng, best = Space.of(problem.space), np.random.default_rng([seed, 1]), inf
    while True:
        for row in space.sample(100, rng):
            config = space.decode(row)
            cost = problem.cost(config)
            yield Evaluation(*((best, inf) if cost > best else (cost, cost)), config)
            best = min(best, cost)


PAPER: dict[str, Any] = {"design": "lhd", "slack": 1.3, "random_share": 0.0}
NO_CENSORING: dict[str, Any] = {**PAPER, "slack": inf}

ARMS: dict[str, Arm] = {
    "forest, no censoring": partial(ours, model="forest", **NO_CENSORING),
    **{
        f"forest, slack {slack}": partial(ours, model="forest", **{**PAPER, "slack": slack})
        for slack in (1.0, 1.1, 1.3, 1.5, 2.0)
    },
    **{
        f"forest, {treatment}": partial(treated, treatment=treatment)
        for treatment in ("mean", "drop", "ignore")
    },
    "forest, slack 1.3, random": partial(ours, model="forest", **{**PAPER, "random_share": 0.1}),
    "forest, doubling": partial(ours, model="forest"),
    "forest, doubling, information": partial(ours, model="forest", caps="information"),
    "process, no censoring": partial(ours, model="process", **NO_CENSORING),
    "process, slack 1.3": partial(ours, model="process", **PAPER),
    "process, slack 1.3, random": partial(ours, model="process", **{**PAPER, "random_share": 0.1}),
    "process, doubling, information": partial(ours, model="process", caps="information"),
    "forest, rising": partial(ours, model="forest", design="rising"),
    "process, rising": partial(ours, model="process", design="rising"),
    "default": ours,
    "random, slack 1": random_search,
}
NUMERIC_ONLY = {name for name in ARMS if name.startswith("process")}
