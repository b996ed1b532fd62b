"""SMAC3 2.4, its facade for algorithm configuration with adaptive capping.

Its `runtime_cutoff` limits the sum over all instances, so that an incumbent would soon be allowed nothing
more; it is left out, and the ledger stops each run at the ceiling.
"""

import logging
import tempfile
import warnings
from pathlib import Path

import numpy as np
from arena.arena import Arena

from peers.ledger import BudgetSpentError, Ledger
from tightrope.records import Config

_ENOUGH_TRIALS = 1_000_000  # the ledger ends the tuning


def tune_with_smac(arena: Arena, ledger: Ledger, *, seed: int) -> Config:
    """Return SMAC's incumbent; the default is in its initial design."""
    from smac import AlgorithmConfigurationFacade, Scenario
    from smac.runhistory.dataclasses import TrialValue

    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        scenario = Scenario(
            arena.space.configspace,
            deterministic=True,
            n_trials=_ENOUGH_TRIALS,
            instances=list(arena.instances_train),
            instance_features=arena.features,
            adaptive_capping=True,
            seed=seed,
            output_directory=Path(folder),
        )
        optimiser = AlgorithmConfigurationFacade(scenario, _never_called, logging_level=False, overwrite=True)
        while not ledger.is_spent:
            trial = optimiser.ask()
            cap = float((trial.additional_info or {}).get("cutoff", np.inf))
            try:
                cost = ledger.run(dict(trial.config), str(trial.instance), cap=cap)
            except BudgetSpentError:
                break
            optimiser.tell(trial, TrialValue(cost=cost))
        found = optimiser.intensifier.get_incumbents()
    return Config(dict(found[0])) if found else arena.default


def _never_called(config: object, instance: str, seed: int = 0, cutoff: float = 0.0) -> float:
    raise AssertionError("asked and told, it runs nothing by itself")
