"""Cheap features of instances."""

import json

import numpy as np


def measure_features(text: str) -> dict[str, float]:
    """Return features of a formula in DIMACS format, or of a problem in JSON."""
    return _of_formula(text) if text.lstrip().startswith(("c", "p")) else _of_problem(text)


def _of_formula(text: str) -> dict[str, float]:
    lines = [line.split() for line in text.splitlines() if line and line[0] not in "cp"]
    sizes = np.array([len(line) - 1 for line in lines])
    literals = np.array([int(word) for line in lines for word in line[:-1]])
    occurrences = np.bincount(np.abs(literals))[1:]
    used = occurrences[occurrences > 0]
    return {
        "variables": float(used.size),
        "clauses": float(sizes.size),
        "share_of_binary": round(float(np.mean(sizes == 2)), 6),
        "mean_size": round(float(sizes.mean()), 6),
        "spread_of_occurrences": round(float(used.std() / used.mean()), 6),
        "most_occurrences": float(used.max()),
        "share_of_positive": round(float(np.mean(literals > 0)), 6),
    }


def _of_problem(text: str) -> dict[str, float]:
    """Return the mean and the spread of each table of numbers."""
    found = {}
    for name, value in sorted(json.loads(text).items()):
        numbers = np.ravel(value)
        found[f"{name}_mean"] = round(float(numbers.mean()), 6)
        found[f"{name}_spread"] = round(float(numbers.std()), 6)
    return found
