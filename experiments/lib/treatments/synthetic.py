"""Generated runtimes: configs with mixed columns on instances of very different hardness.

Every seed draws another problem. The logarithm of a cost is the sum of the instance's hardness, the main
effects of the parameters, an interaction between a parameter and an instance feature, and noise.
"""

from dataclasses import dataclass

import numpy as np

from lib.treatments.problem import Floats, Problem, Runs

N_LEVELS = 6
N_NUMBERS = 4
N_FEATURES = 4
CEILING_S = 10_000.0
CATEGORICAL = (N_NUMBERS + 1,)
_NOISE = 0.15  # standard deviation of log10 cost between two runs with the same columns


@dataclass(frozen=True, slots=True)
class _Effects:
    """Effects of the columns on log10 cost."""

    best: Floats  # (N_NUMBERS,) the best value of each number
    steep: Floats  # (N_NUMBERS,) roughly the effect of the worst value
    levels: Floats  # (N_LEVELS,) effect of each level of the categorical column
    hardness: Floats  # (N_FEATURES,)
    interaction: float


def make_problem(
    seed: int, *, n_instances: int = 50, n_train: int = 1000, n_test: int = 1000, n_configs: int = 500
) -> Problem:
    """Draw a problem; test runs have other configs than training runs, on the same instances."""
    rng = np.random.default_rng(seed)
    effects = _Effects(
        best=rng.uniform(size=N_NUMBERS),
        steep=rng.uniform(0.2, 1.5, size=N_NUMBERS),
        levels=rng.permutation(np.linspace(0.0, 1.5, N_LEVELS)),
        hardness=rng.uniform(0.5, 1.5, size=N_FEATURES),
        interaction=rng.uniform(0.5, 1.5),
    )
    features = rng.uniform(size=(n_instances, N_FEATURES))
    train = _run(_draw_configs(n_configs, rng), features, effects=effects, n_runs=n_train, rng=rng)
    test = _run(_draw_configs(n_configs, rng), features, effects=effects, n_runs=n_test, rng=rng)
    return Problem(train, test, categorical=CATEGORICAL, ceiling=CEILING_S)


def _draw_configs(n_configs: int, rng: np.random.Generator) -> Floats:
    """Draw four numbers, a conditional number (NaN unless the first is above one half) and a level."""
    numbers = rng.uniform(size=(n_configs, N_NUMBERS))
    conditional = np.where(numbers[:, 0] > 0.5, rng.uniform(size=n_configs), np.nan)
    return np.column_stack([numbers, conditional, rng.integers(N_LEVELS, size=n_configs)])


def _run(
    configs: Floats, features: Floats, *, effects: _Effects, n_runs: int, rng: np.random.Generator
) -> Runs:
    config, instance = rng.integers(len(configs), size=n_runs), rng.integers(len(features), size=n_runs)
    X = np.hstack([configs[config], features[instance]])
    log_cost = _log10_cost(X, effects) + rng.normal(scale=_NOISE, size=n_runs)
    return Runs(X, 10.0**log_cost, instance=instance, known=np.ones(n_runs, dtype=bool))


def _log10_cost(X: Floats, effects: _Effects) -> Floats:
    numbers, conditional, level = X[:, :N_NUMBERS], X[:, N_NUMBERS], X[:, N_NUMBERS + 1].astype(np.intp)
    features = X[:, N_NUMBERS + 2 :]
    by_config = np.abs(numbers - effects.best) @ effects.steep + effects.levels[level]
    by_condition = np.nan_to_num(np.abs(conditional - 0.5), nan=0.25)
    by_both = effects.interaction * numbers[:, 1] * features[:, 0]
    return np.asarray(-3.0 + features @ effects.hardness + by_config + by_condition + by_both)
