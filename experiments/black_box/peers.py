"""General optimisers, which cannot stop an evaluation and pay the full cost of each.

They need other packages than tightrope: `pip install optuna torch smac==2.4.1`. Each minimises the logarithm
of the cost, which tightrope models by default.
"""

import logging
import tempfile
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from black_box.arms import Arm, Evaluation
from black_box.problems import Problem
from tightrope.space import Space


def optuna_tpe(problem: Problem, seed: int) -> Iterator[Evaluation]:
    """Run Optuna with its default sampler."""
    import optuna

    yield from _optuna(problem, optuna.samplers.TPESampler(seed=seed))


def optuna_gp(problem: Problem, seed: int) -> Iterator[Evaluation]:
    """Run Optuna with its Gaussian process for deterministic costs."""
    import optuna

    yield from _optuna(problem, optuna.samplers.GPSampler(seed=seed, deterministic_objective=True))


def _optuna(problem: Problem, sampler: Any) -> Iterator[Evaluation]:
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
    study = optuna.create_study(sampler=sampler)
    while True:
        trial = study.ask()
        config = _suggest(trial, problem.space)
        cost = problem.cost(config)
        study.tell(trial, float(np.log(cost)))
        yield Evaluation(cost, cost, tuple(sorted(config.items())))


def _suggest(trial: Any, space: Any) -> dict[str, Any]:
    """Suggest each active parameter."""
    config: dict[str, Any] = {}
    if isinstance(space, dict):
        for name, domain in space.items():
            config[name] = _suggest_short(trial, name, domain)
        return config
    conditions = {condition.child.name: condition for condition in space.conditions}
    for name in sorted(space, key=lambda name: name in conditions):
        condition = conditions.get(name)
        if condition is None or config.get(condition.parent.name) == condition.value:
            config[name] = _suggest_hyperparameter(trial, space[name])
    return config


def _suggest_short(trial: Any, name: str, domain: Any) -> Any:
    if isinstance(domain, list):
        return trial.suggest_categorical(name, domain)
    low, high = domain
    suggest = trial.suggest_int if isinstance(low, int) else trial.suggest_float
    return suggest(name, low, high)


def _suggest_hyperparameter(trial: Any, parameter: Any) -> Any:
    if hasattr(parameter, "choices"):
        return trial.suggest_categorical(parameter.name, list(parameter.choices))
    suggest = trial.suggest_int if "Integer" in type(parameter).__name__ else trial.suggest_float
    return suggest(parameter.name, parameter.lower, parameter.upper, log=parameter.log)


def smac(problem: Problem, seed: int) -> Iterator[Evaluation]:
    """Run SMAC3's facade for deterministic black boxes; its Gaussian process in numeric spaces."""
    from smac import BlackBoxFacade, HyperparameterOptimizationFacade, Scenario
    from smac.runhistory.dataclasses import TrialValue

    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    space = Space.of(problem.space).configspace
    facade = BlackBoxFacade if problem.numeric else HyperparameterOptimizationFacade
    with tempfile.TemporaryDirectory() as folder:
        scenario = Scenario(
            space, deterministic=True, n_trials=problem.most, seed=seed, output_directory=Path(folder)
        )
        optimiser = facade(scenario, lambda config, seed=0: 0.0, logging_level=False, overwrite=True)
        while True:
            info = optimiser.ask()
            config = dict(info.config)
            cost = problem.cost(config)
            optimiser.tell(info, TrialValue(cost=float(np.log(cost))))
            yield Evaluation(cost, cost, tuple(sorted(config.items())))


def _installed(*packages: str) -> bool:
    return all(find_spec(package) is not None for package in packages)


PEERS: dict[str, Arm] = {}
MISSING: dict[str, str] = {}
for _name, _arm, _packages in (
    ("Optuna TPE", optuna_tpe, ("optuna",)),
    ("Optuna GP", optuna_gp, ("optuna", "torch")),
    ("SMAC3", smac, ("smac",)),
):
    if _installed(*_packages):
        PEERS[_name] = _arm
    else:
        MISSING[_name] = f"pip install {' '.join(_packages)}"
