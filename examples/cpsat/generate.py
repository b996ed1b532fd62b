"""Generate scheduling instances for CP-SAT, with optima from dynamic programming: python generate.py."""

import argparse
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Shop:
    """Jobs for one machine: duration, due time, and cost per unit of delay."""

    duration: list[int]
    due: list[int]
    weight: list[int]


def draw_shop(seed: int, *, n_jobs: int = 10) -> Shop:
    """Draw jobs, most of which cannot finish in time."""
    rng = Random(seed)
    duration = [rng.randint(1, 30) for _ in range(n_jobs)]
    latest = 6 * sum(duration) // 10
    return Shop(
        duration=duration,
        due=[rng.randint(latest // 3, latest) for _ in range(n_jobs)],
        weight=[rng.randint(1, 10) for _ in range(n_jobs)],
    )


def least_delay(shop: Shop) -> int:
    """Return the optimal value, from the least cost of each set of jobs that comes first."""
    n_jobs = len(shop.duration)
    best = [0] * (1 << n_jobs)
    for done in range(1, 1 << n_jobs):
        members = [job for job in range(n_jobs) if done >> job & 1]
        end = sum(shop.duration[job] for job in members)
        best[done] = min(
            best[done ^ (1 << last)] + shop.weight[last] * max(0, end - shop.due[last]) for last in members
        )
    return best[-1]


def write_instances(folder: Path, seeds: range, *, n_jobs: int = 10) -> list[Path]:
    """Write one file per seed, including the optimal value, and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for seed in seeds:
        shop = draw_shop(seed, n_jobs=n_jobs)
        written.append(folder / f"shop-{seed:04d}.json")
        content = asdict(shop) | {"optimum": least_delay(shop)}
        written[-1].write_text(json.dumps(content), encoding="utf-8")
    return written


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=HERE, help="where to write the instances")
    parser.add_argument("--number", type=int, default=30, help="instances for training, and for testing")
    parser.add_argument("--jobs", type=int, default=10, help="jobs per instance")
    options = parser.parse_args(arguments)
    written = write_instances(options.folder / "train", range(options.number), n_jobs=options.jobs)
    tests = range(1000, 1000 + options.number)
    written += write_instances(options.folder / "test", tests, n_jobs=options.jobs)
    print(f"{len(written)} instances are in {options.folder}")
    print("next:  tightrope check")


if __name__ == "__main__":
    main()
