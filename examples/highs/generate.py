"""Generate lot sizing instances for HiGHS, with optima from dynamic programming: python generate.py."""

import argparse
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

import numpy as np

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Plant:
    """Demand, capacity and costs of each period.

    The costs: setting up the machine, making one piece, and keeping one piece until the next period.
    """

    demand: list[int]
    capacity: list[int]
    setup: list[int]
    making: list[int]
    keeping: list[int]


def draw_plant(seed: int, *, n_periods: int = 60) -> Plant:
    """Draw a plant that can meet every demand."""
    rng = Random(seed)
    capacity = [rng.randint(40, 60) for _ in range(n_periods)]
    return Plant(
        demand=[rng.randint(0, 3 * most // 5) for most in capacity],
        capacity=capacity,
        setup=[rng.randint(400, 900) for _ in range(n_periods)],
        making=[rng.randint(1, 2) for _ in range(n_periods)],
        keeping=[rng.randint(1, 3) for _ in range(n_periods)],
    )


def least_cost(plant: Plant) -> int:
    """Return the optimal value; period by period, keep the least cost for each remaining stock."""
    most = sum(plant.demand)
    cost = np.full(most + 1, np.inf)  # by stock at the end of the period
    cost[0] = 0
    periods = zip(plant.demand, plant.capacity, plant.setup, plant.making, plant.keeping, strict=True)
    for demand, capacity, setup, making, keeping in periods:
        best = cost.copy()  # by stock before the demand is met
        for made in range(1, min(capacity, most) + 1):
            best[made:] = np.minimum(best[made:], cost[: most + 1 - made] + setup + making * made)
        cost = np.full(most + 1, np.inf)
        cost[: most + 1 - demand] = best[demand:] + keeping * np.arange(most + 1 - demand)
    return int(cost[0])


def write_instances(folder: Path, seeds: range, *, n_periods: int = 60) -> dict[str, int]:
    """Write one file per seed; return the optimal values by file name."""
    folder.mkdir(parents=True, exist_ok=True)
    optima = {}
    for seed in seeds:
        plant = draw_plant(seed, n_periods=n_periods)
        name = f"plant-{seed:04d}.json"
        (folder / name).write_text(json.dumps(asdict(plant)), encoding="utf-8")
        optima[name] = least_cost(plant)
    return optima


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=HERE, help="where to write the instances")
    parser.add_argument("--number", type=int, default=30, help="instances for training, and for testing")
    parser.add_argument("--periods", type=int, default=60, help="periods per instance")
    options = parser.parse_args(arguments)
    optima = write_instances(options.folder / "train", range(options.number), n_periods=options.periods)
    tests = range(1000, 1000 + options.number)
    optima |= write_instances(options.folder / "test", tests, n_periods=options.periods)
    rows = ["instance,answer", *(f"{name},{optimum}" for name, optimum in optima.items())]
    (options.folder / "optima.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    print(f"{len(optima)} instances are in {options.folder}")
    print("next:  tightrope check")


if __name__ == "__main__":
    main()
