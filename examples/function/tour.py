"""The function to tune: simulated annealing, until a round trip is short enough."""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from random import Random

Points = list[tuple[float, float]]


def length(points: Points, order: list[int]) -> float:
    """Return the length of the round trip."""
    return sum(math.dist(points[a], points[b]) for a, b in zip(order, order[1:] + order[:1], strict=True))


def anneal(config: Mapping[str, float], instance: str, seed: int) -> None:
    """Search until the round trip is as short as the instance demands.

    Parameters
    ----------
    config : mapping
        "heat": the initial temperature, in units of the distance between neighbours; "cooling": the factor
        per sweep; "sweeps": the number of sweeps before a restart; "reach": the largest segment that may be
        reversed, as a share of all points.
    instance : str
        The path of a file with the points and the largest accepted length.
    seed : int
        Seed of all random choices.
    """
    content = json.loads(Path(instance).read_text(encoding="utf-8"))
    points: Points = [(x, y) for x, y in content["points"]]
    rng = Random(seed)
    while True:
        order = _descend(points, config, rng, goal=content["goal"])
        if length(points, order) <= content["goal"]:
            return


def _descend(points: Points, config: Mapping[str, float], rng: Random, *, goal: float) -> list[int]:
    """Anneal once; stop as soon as the goal is met."""
    n = len(points)
    order = rng.sample(range(n), n)
    heat = config["heat"] / math.sqrt(n)
    longest = max(2, round(config["reach"] * n))
    for _ in range(int(config["sweeps"])):
        for _ in range(n):
            i, size = rng.randrange(n), rng.randint(2, longest)
            order = order[i:] + order[:i]
            gain = _gain(points, order, size)
            if gain > 0 or rng.random() < math.exp(gain / heat):
                order[:size] = order[:size][::-1]
        heat = max(heat * config["cooling"], 1e-9)
        if length(points, order) <= goal:
            break
    return order


def _gain(points: Points, order: list[int], size: int) -> float:
    """Return how much shorter the trip gets if its first `size` points are reversed."""
    before, first, last, after = (points[order[i]] for i in (-1, 0, size - 1, size % len(order)))
    old = math.dist(before, first) + math.dist(last, after)
    return old - math.dist(before, last) - math.dist(first, after)
