"""Medians for each number of workers."""

from collections.abc import Sequence
from math import inf

import numpy as np
from lib.tables import Row
from numpy.typing import NDArray

from scaling.measure import LEVELS_S

Floats = NDArray[np.float64]


def collect(rows: Sequence[Row], key: str) -> dict[int, Floats]:
    """Collect one column by the number of workers."""
    found: dict[int, list[float]] = {}
    for row in sorted(rows, key=lambda row: (int(row["workers"]), int(row["seed"]))):
        found.setdefault(int(row["workers"]), []).append(float(row[key]))
    return {workers: np.array(values) for workers, values in found.items()}


def median(values: Floats) -> float:
    """Return the median, the upper one of two: at least half of the tunings were as fast."""
    return float(np.sort(values)[values.size // 2])


def summarise(rows: Sequence[Row]) -> list[Row]:
    """Return a row for each number of workers: median times, speed-ups, and shares."""
    times = {level: collect(rows, f"time_{level:g}") for level in LEVELS_S}
    others = {key: collect(rows, key) for key in ("idle_share", "thinking_share", "n_runs", "n_cancelled")}
    summary: list[Row] = []
    for workers, idle in others["idle_share"].items():
        row: Row = {"workers": workers, "n_seeds": idle.size}
        for level, by_workers in times.items():
            at_s = median(by_workers[workers])
            row[f"time_{level:g}"] = at_s
            row[f"speedup_{level:g}"] = median(by_workers[min(by_workers)]) / at_s if at_s < inf else 0.0
        row |= {key: float(np.median(by_workers[workers])) for key, by_workers in others.items()}
        summary.append(row)
    return summary


def markdown(summary: Sequence[Row]) -> str:
    """Return the summary as a table, with speed-ups in brackets."""
    heads = [*(f"{level:g} s" for level in LEVELS_S), "idle", "deciding", "runs", "cancelled"]
    lines = ["| workers | " + " | ".join(heads) + " |", "| --- " * (len(heads) + 1) + "|"]
    for row in summary:
        cells = [_time(row, level) for level in LEVELS_S]
        cells += [f"{row['idle_share']:.1%}", f"{row['thinking_share']:.1%}"]
        cells += [f"{row['n_runs']:.0f}", f"{row['n_cancelled'] / row['n_runs']:.0%}"]
        lines.append(f"| {row['workers']} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _time(row: Row, level: float) -> str:
    at_s = row[f"time_{level:g}"]
    return "not reached" if at_s == inf else f"{at_s:.0f} s ({row[f'speedup_{level:g}']:.3g} x)"
