"""Generate instances for the annealer, random points and a length to reach: python generate.py."""

import argparse
import json
from itertools import combinations
from math import dist
from pathlib import Path
from random import Random

from tour import Points, length

HERE = Path(__file__).parent
ALLOWANCE = 1.03  # times the shortest known length


def draw_points(seed: int, *, n_points: int) -> Points:
    """Draw points in a square of side 1."""
    rng = Random(seed)
    return [(rng.random(), rng.random()) for _ in range(n_points)]


def short_trip(points: Points, seed: int, *, n_starts: int = 5) -> list[int]:
    """Return the best of several trips that no reversal of a segment can shorten."""
    rng, n = Random(seed), len(points)
    starts = [_improved(points, rng.sample(range(n), n)) for _ in range(n_starts)]
    return min(starts, key=lambda order: length(points, order))


def _improved(points: Points, order: list[int]) -> list[int]:
    found = True
    while found:
        found = False
        for i, j in combinations(range(1, len(order)), 2):
            a, b, c, d = (points[order[k]] for k in (i - 1, i, j, (j + 1) % len(order)))
            if dist(a, c) + dist(b, d) < dist(a, b) + dist(c, d) - 1e-12:
                order[i : j + 1] = order[i : j + 1][::-1]
                found = True
    return order


def write_instances(folder: Path, seeds: range, *, n_points: int) -> list[Path]:
    """Write one file per seed, and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for seed in seeds:
        points = draw_points(seed, n_points=n_points)
        goal = ALLOWANCE * length(points, short_trip(points, seed))
        written.append(folder / f"trip-{seed:04d}.json")
        written[-1].write_text(json.dumps({"points": points, "goal": goal}), encoding="utf-8")
    return written


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=HERE, help="where to write the trips")
    parser.add_argument("--number", type=int, default=20, help="trips for training, and for testing")
    parser.add_argument("--points", type=int, default=40, help="points per trip")
    options = parser.parse_args(arguments)
    written = write_instances(options.folder / "train", range(options.number), n_points=options.points)
    tests = range(1000, 1000 + options.number)
    written += write_instances(options.folder / "test", tests, n_points=options.points)
    print(f"{len(written)} trips are in {options.folder}")
    print("next:  python tune_tour.py")


if __name__ == "__main__":
    main()
