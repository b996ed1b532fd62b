"""Knapsacks with several limits, drawn from a seed, and their optimal values."""

import json
from random import Random

import numpy as np


def draw_knapsack(seed: int, *, n_items: int, n_limits: int) -> str:
    """Draw items whose value is close to their weight, which makes the choice hard."""
    rng = Random(seed)
    weight = [[rng.randint(1, 200) for _ in range(n_items)] for _ in range(n_limits)]
    value = [sum(each) // n_limits + rng.randint(1, 100) for each in zip(*weight, strict=True)]
    return json.dumps({"value": value, "weight": weight, "capacity": [sum(row) // 2 for row in weight]})


def optimal_packing(text: str) -> str:
    """Return the optimal value, by trying all subsets of the items."""
    problem = json.loads(text)
    fits = np.ones(2 ** len(problem["value"]), dtype=np.bool_)
    for weights, most in zip(problem["weight"], problem["capacity"], strict=True):
        fits &= _sums(weights) <= most
    return str(_sums(problem["value"])[fits].max())


def _sums(numbers: list[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return the sums of all subsets."""
    sums = np.zeros(1, dtype=np.int64)
    for number in numbers:
        sums = np.concatenate([sums, sums + number])
    return sums
