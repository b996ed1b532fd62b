"""Optuna as its manual recommends for solvers: Wilcoxon's pruner over instances in random order.

Optuna has no caps: each run continues to its end or the ceiling, and a config is pruned between two runs.
"""

import warnings
from typing import Any

import numpy as np
from ConfigSpace import ConfigurationSpace
from ConfigSpace.conditions import Conjunction
from lib.arena.arena import Arena

from peers.metered_solver import BudgetSpentError, MeteredSolver
from tightrope.records import Config


def tune_with_optuna(arena: Arena, solver: MeteredSolver, *, seed: int) -> Config:
    """Return the config with the lowest mean cost on all instances; the default is the first trial."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
    study = optuna.create_study(
        sampler=optuna.samplers.TPESampler(seed=seed), pruner=optuna.pruners.WilcoxonPruner(p_threshold=0.1)
    )
    study.enqueue_trial(dict(arena.default))
    rng = np.random.default_rng(seed)
    space = arena.space.configspace
    best, best_cost = arena.default, np.inf
    while not solver.is_spent:
        trial = study.ask()
        config = Config(suggest(trial, space))
        cost, is_whole = _evaluate(trial, config, arena, solver, rng=rng)
        study.tell(trial, cost)
        if is_whole and cost < best_cost:
            best, best_cost = config, cost
    return best


def _evaluate(
    trial: Any, config: Config, arena: Arena, solver: MeteredSolver, *, rng: np.random.Generator
) -> tuple[float, bool]:
    """Return the mean cost, as the manual advises also for a pruned trial; and whether all runs were made."""
    costs: list[float] = []
    for i in rng.permutation(len(arena.instances_train)):
        try:
            costs.append(solver.run(config, arena.instances_train[i], cap=np.inf))
        except BudgetSpentError:
            return float(np.mean(costs)) if costs else arena.ceiling, False
        trial.report(costs[-1], int(i))
        if trial.should_prune():
            return float(np.mean(costs)), False
    return float(np.mean(costs)), True


def suggest(trial: Any, space: ConfigurationSpace) -> dict[str, Any]:
    """Suggest each active parameter, parents first."""
    config: dict[str, Any] = {}
    for name in space:  # ConfigSpace keeps parents before their children
        if all(_holds(condition, config) for condition in space.parent_conditions_of[name]):
            config[name] = _suggest_one(trial, space[name])
    return config


def _holds(condition: Any, config: dict[str, Any]) -> bool:
    parents = condition.parents if isinstance(condition, Conjunction) else [condition.parent]
    if any(parent.name not in config for parent in parents):
        return False
    return bool(condition.satisfied_by_value(config))


def _suggest_one(trial: Any, parameter: Any) -> Any:
    if hasattr(parameter, "choices"):
        return trial.suggest_categorical(parameter.name, list(parameter.choices))
    suggest_number = trial.suggest_int if "Integer" in type(parameter).__name__ else trial.suggest_float
    return suggest_number(parameter.name, parameter.lower, parameter.upper, log=parameter.log)
