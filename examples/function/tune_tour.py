"""Tune the annealer, then compare the best config with the default on test trips: python tune_tour.py."""

import argparse
import math
from pathlib import Path

from tour import anneal

from tightrope import Budget, Scenario, tune, validate
from tightrope.run import FunctionTarget, LocalPool

HERE = Path(__file__).parent


def scenario_of(folder: Path, budget: Budget) -> Scenario:
    """Return the scenario: target, space, instances and budget."""
    return Scenario(
        target=FunctionTarget(anneal, clock="cpu"),
        space={
            "heat": (0.01, 10.0, "log"),
            "cooling": (0.5, 0.999),
            "sweeps": (10, 10000, "log"),
            "reach": (0.1, 0.9),
        },
        default={"heat": 1.0, "cooling": 0.99, "sweeps": 1000, "reach": 0.5},
        instances=[str(path) for path in sorted(folder.glob("train/*.json"))],
        test=[str(path) for path in sorted(folder.glob("test/*.json"))],
        ceiling=5.0,
        budget=budget,
        deterministic=False,
    )


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=HERE, help="where the trips are")
    parser.add_argument("--budget", default="2m", help="time for the tuning")
    parser.add_argument("--runs", type=int, help="largest number of runs of the tuning")
    parser.add_argument("--workers", type=int, default=2, help="runs at once")
    options = parser.parse_args(arguments)
    budget = Budget(wall=options.budget, runs=options.runs or math.inf)
    scenario = scenario_of(options.folder, budget)
    executor = LocalPool(options.workers)
    result = tune(scenario, journal=options.folder / "tour.journal", executor=executor)
    print(result)
    print(result.best)
    configs = {"default": scenario.default, "best": result.best}
    print(validate(scenario, configs, repeat=3, executor=executor))


if __name__ == "__main__":
    main()
