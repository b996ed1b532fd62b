"""CPU time of one `Optimizer.ask`, with one thread: python benchmarks/overhead.py.

The space has ten numbers. After the first twenty, runs are capped at 1.3 times the best cost. SMAC3 with its
random forest (if installed: pip install smac==2.4.1) gets the same configs with their full costs, because it
accepts no bounds. It fits its forest once for several asks, so means over many asks are compared.
"""

import logging
import tempfile
import warnings
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits
from timing import cpu_s, milliseconds

from tightrope import Optimizer
from tightrope.space import Space

SPACE = {f"x{i}": (0.0, 1.0) for i in range(10)}
SLACK = 1.3
N_UNCAPPED = 20
N_ASKED = 24
N_ASKED_OF_SMAC = 8  # the number of asks that share a fit
GOALS_S = {100: 0.05, 1000: 0.2}


def cost_of(config: Any) -> float:
    gaps = np.array([config[name] for name in SPACE]) - 0.3
    return float(np.exp(3.0 * np.linalg.norm(gaps)))


def random_configs(n: int) -> NDArray[np.float64]:
    return np.random.default_rng(n).random((n, len(SPACE)))


def prepare_ours(n: int, model: str) -> Callable[[], None]:
    """Tell n runs; return a function that asks once and tells the outcome."""
    optimizer = Optimizer(SPACE, model=model, n_initial=1, first_cap=1e9)
    best = np.inf
    for i, point in enumerate(random_configs(n)):
        config = dict(zip(SPACE, point.tolist(), strict=True))
        cost, cap = cost_of(config), SLACK * best if i >= N_UNCAPPED else np.inf
        optimizer.tell_run(config, min(cost, cap), capped=cost > cap)
        best = min(best, cost)

    def ask() -> None:
        trial = optimizer.ask()
        assert trial is not None
        cost = cost_of(trial.config)
        optimizer.tell(trial, min(cost, trial.cap), capped=cost > trial.cap)

    ask()  # the only config of the initial design
    return ask


def prepare_smac(n: int) -> Callable[[], None]:
    """Tell n runs; return a function that asks once and tells the outcome."""
    from ConfigSpace import Configuration
    from smac import HyperparameterOptimizationFacade, Scenario
    from smac.runhistory.dataclasses import TrialInfo, TrialValue

    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    space = Space.of(SPACE).configspace
    folder = Path(tempfile.mkdtemp())
    scenario = Scenario(space, deterministic=True, n_trials=10 * n, output_directory=folder)
    facade = HyperparameterOptimizationFacade(
        scenario,
        lambda config, seed=0: 0.0,
        initial_design=HyperparameterOptimizationFacade.get_initial_design(scenario, n_configs=1),
        logging_level=False,
        overwrite=True,
    )
    for point in random_configs(n):
        config = Configuration(space, values=dict(zip(SPACE, point.tolist(), strict=True)))
        facade.tell(TrialInfo(config, seed=0), TrialValue(cost=float(np.log(cost_of(config)))))

    def ask() -> None:
        info = facade.ask()
        facade.tell(info, TrialValue(cost=float(np.log(cost_of(info.config)))))

    ask()  # the only config of the initial design
    return ask


def mean_cpu_s(work: Callable[[], None], *, n: int = N_ASKED) -> float:
    return sum(cpu_s(work) for _ in range(n)) / n


def main() -> None:
    has_smac = find_spec("smac") is not None
    print("CPU time of one ask, 10 numbers, one thread")
    print("| observations | forest | goal | process | SMAC3 | SMAC3 / forest |\n" + "| --- " * 6 + "|")
    with threadpool_limits(1):
        for n, goal_s in GOALS_S.items():
            forest_s, process_s = (mean_cpu_s(prepare_ours(n, model)) for model in ("forest", "process"))
            smac_s = mean_cpu_s(prepare_smac(n), n=N_ASKED_OF_SMAC) if has_smac else None
            theirs = (
                "not installed | " if smac_s is None else f"{milliseconds(smac_s)} | {smac_s / forest_s:.1f}"
            )
            verdict = f"{milliseconds(goal_s)}{'' if forest_s <= goal_s else ': missed'}"
            print(
                f"| {n} | {milliseconds(forest_s)} | {verdict} | {milliseconds(process_s)} | {theirs} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
