"""SMAC3 2.4.1 as its manual recommends for running time: its facade for solvers, with adaptive capping.

The metered solver stops runs at the caps of SMAC's trials. A capped run is reported as in the manual's
example: as a success that cost slightly more than its cap, so that it does not tie with the incumbent's run.
`runtime_cutoff` limits the sum over all instances, so it is the ceiling times their number. The result is
SMAC's incumbent.

Three settings differ from SMAC's defaults. With 5 features or more its forest fails, and with 4 it learns
from principal components but predicts from raw features: the components are switched off. Nothing is written
to disk after each run, because each write takes longer than the one before. Each tree predicts all instances
at once instead of one by one, which gives the same numbers faster: otherwise a tuning takes ten minutes or
more.
"""

import logging
import math
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import numpy.typing as npt
from lib.arena.arena import Arena

from peers.metered_solver import BudgetSpentError, MeteredSolver
from tightrope.records import Config

_ENOUGH_TRIALS = 1_000_000  # the metered solver ends the tuning
_BLOCK = 64  # configs predicted at once: more need much memory


def tune_with_smac(arena: Arena, solver: MeteredSolver, *, seed: int) -> Config:
    """Return SMAC's incumbent; the default is its initial design."""
    from smac.runhistory.dataclasses import TrialValue

    with tempfile.TemporaryDirectory() as folder, _silent(), _faster_predictions():
        optimiser = _optimiser(arena, folder=Path(folder), seed=seed)
        while not solver.is_spent:
            trial = optimiser.ask()
            cap = float(trial.additional_info["cutoff"])
            try:
                cost = solver.run(dict(trial.config), str(trial.instance), cap=cap)
            except BudgetSpentError:
                break
            excess = arena.resolution if cost >= cap else 0.0
            optimiser.tell(trial, TrialValue(cost=cost + excess), save=False)
        found = optimiser.intensifier.get_incumbents()
    return Config(dict(found[0])) if found else arena.default


@contextmanager
def _silent() -> Iterator[None]:
    logging.disable(logging.WARNING)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            yield
        finally:
            logging.disable(logging.NOTSET)


def _faster_predictions() -> Any:
    """Return a context in which SMAC's forest predicts all instances at once."""
    return patch(
        "smac.model.random_forest.random_forest.EPMRandomForest.predict_marginalized_over_instances_batch",
        predict_over_instances,
    )


def predict_over_instances(
    forest: Any, configs: npt.ArrayLike, features: npt.ArrayLike, log_y: bool
) -> npt.NDArray[np.float64]:
    """Return each tree's mean prediction over instances for each config, summed in SMAC's order."""
    rows, instances = (np.atleast_2d(np.asarray(each, dtype=np.float32)) for each in (configs, features))
    blocks = np.array_split(rows, -(-len(rows) // _BLOCK))
    found = [_predict_block(forest.estimators_, block, instances) for block in blocks]
    return np.ascontiguousarray(np.vstack(found))  # else means over trees are rounded differently


def _predict_block(
    trees: Any, rows: npt.NDArray[np.float32], instances: npt.NDArray[np.float32]
) -> npt.NDArray[np.float64]:
    shape = len(instances), len(rows)
    grid = np.hstack([np.tile(rows, (len(instances), 1)), np.repeat(instances, len(rows), axis=0)])
    costs = [tree.predict(grid, check_input=False).reshape(shape) / len(instances) for tree in trees]
    return np.array([np.cumsum(each, axis=0)[-1] for each in costs]).T


def _optimiser(arena: Arena, *, folder: Path, seed: int) -> Any:
    from smac import AlgorithmConfigurationFacade, Scenario

    scenario = Scenario(
        arena.space.configspace,
        deterministic=True,
        n_trials=_ENOUGH_TRIALS,
        instances=list(arena.instances_train),
        instance_features=arena.features,
        adaptive_capping=True,
        runtime_cutoff=math.ceil(arena.ceiling * len(arena.instances_train)),
        seed=seed,
        output_directory=folder,
    )
    return AlgorithmConfigurationFacade(
        scenario,
        _never_called,
        model=AlgorithmConfigurationFacade.get_model(scenario, pca_components=None),
        logging_level=False,
        overwrite=True,
    )


def _never_called(config: object, instance: str, seed: int = 0, cutoff: float = 0.0) -> float:
    raise AssertionError("SMAC must not run the target in ask-and-tell mode")
