"""Measure whether the demo should tune all of Kissat's options or the 18 chosen ones.

    python experiments/demo_options --seeds 10
    python experiments/demo_options --report

Each tuning is the demo's: the same formulas, two workers, 180 s of CPU time, then a validation on 30 other
"""

import argparse
import json
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from lib.tables import Row, append_rows, read_rows

from tightrope.demo.folder import write_folder
from tightrope.demo.kissat import find_kissat
from tightrope.scenario import write_pcs
from tightrope.scenario.solvers.solver import read_solver

# Options that make a difference in most tunings; the demo had these before it had all
CHOSEN = (
    "congruence", "decay", "eliminate", "eliminatebound", "preprocess", "probe", "reduceint", "reducelow",
    "rephaseint", "restartint", "restartmargin", "stable", "sweep", "target", "tier1", "tier2", "vivify",
    "walkeffort",
)  # fmt: skip

_ARMS = ("chosen", "all")
_BUDGET, _WORKERS = "180s cpu", 2
_OUT = Path("out") / "demo-options"


def main(arguments: list[str] | None = None) -> None:
    options = _parse(arguments)
    table = options.out / "tunings.csv"
    done = {(row["arm"], row["seed"]) for row in read_rows(table)}
    jobs = [(arm, seed) for seed in range(options.seeds) for arm in options.arms]
    for arm, seed in jobs:
        if (arm, str(seed)) not in done and not options.report:
            append_rows(table, [attempt(arm, seed, options.out, budget=options.budget)])
            print(f"{arm}, seed {seed} is done", flush=True)
    for line in report(read_rows(table)):
        print(line)


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=_OUT, help="folder of the results")
    parser.add_argument("--seeds", type=int, default=10, help="tunings of each arm")
    parser.add_argument("--arms", nargs="+", choices=_ARMS, default=_ARMS)
    parser.add_argument("--budget", default=_BUDGET, help="of each tuning")
    parser.add_argument("--report", action="store_true", help="only print the table of what was done")
    return parser.parse_args(arguments)


def attempt(arm: str, seed: int, out: Path, *, budget: str) -> Row:
    """Tune and validate, and return what came out."""
    folder = out / f"{arm}-{seed}"
    shutil.rmtree(folder, ignore_errors=True)  # of an interrupted attempt
    scenario = write_folder(folder, find_kissat(), params_of(arm))
    runs = folder / "runs" / "kissat"
    fixed = ("--workers", _WORKERS, "--json")
    tuned = _tightrope("tune", scenario, *fixed, "--seed", seed, "--budget", budget, "--out", runs)
    validated = _tightrope("validate", runs, *fixed)
    default, best = validated["contenders"][0], validated["contenders"][-1]
    match = validated["matches"][0] if validated["matches"] else {"ratio": 1.0, "interval": (1.0, 1.0)}
    return {
        "arm": arm,
        "seed": seed,
        "ratio": match["ratio"],
        "low": match["interval"][0],
        "high": match["interval"][1],
        "changes": sum(value != default["config"].get(name) for name, value in best["config"].items()),
        "runs": tuned["runs"]["all"],
        "wall_s": tuned["wall_s"],
    }


def params_of(arm: str) -> str:
    """Return the parameters of an arm in PCS syntax."""
    printed = subprocess.run([find_kissat(), "--range"], capture_output=True, text=True, check=True).stdout
    known = read_solver("kissat").printed
    assert known is not None
    return write_pcs(known.space(known.options(printed), only=CHOSEN if arm == "chosen" else None))


def _tightrope(*words: object) -> dict[str, Any]:
    command = [sys.executable, "-m", "tightrope", *map(str, words)]
    printed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    found: dict[str, Any] = json.loads(printed.splitlines()[-1])
    return found


def report(rows: Iterable[Row]) -> Iterable[str]:
    """Describe each arm, and the arms against each other on common seeds."""
    ratios = {(row["arm"], row["seed"]): float(row["ratio"]) for row in rows}
    for arm in _ARMS:
        own = [row for row in rows if row["arm"] == arm]
        if own:
            found = np.array([float(row["ratio"]) for row in own])
            yield (
                f"{arm}: {len(own)} tunings, {_mean(found):.2f} times faster (geometric mean), from "
                f"{found.min():.2f} to {found.max():.2f}; {_median(own, 'changes'):.0f} changes, "
                f"{_median(own, 'runs'):.0f} runs, {_median(own, 'wall_s'):.0f} s (medians)"
            )
    seeds = [seed for arm, seed in ratios if arm == "all" and ("chosen", seed) in ratios]
    if len(seeds) > 1:
        logs = np.log([ratios["all", seed] / ratios["chosen", seed] for seed in seeds])
        error = logs.std(ddof=1) / np.sqrt(logs.size)
        ends = np.exp(logs.mean() + np.array([-1.96, 1.96]) * error)
        yield f"all over chosen: {_mean(np.exp(logs)):.2f} (95 % interval {ends[0]:.2f} to {ends[1]:.2f})"


def _mean(ratios: Any) -> float:
    return float(np.exp(np.log(ratios).mean()))


def _median(rows: list[Row], name: str) -> float:
    return float(np.median([float(row[name]) for row in rows]))
