"""What a long tuning keeps: open files and memory at every quarter of 200,000 simulated and 5,000 real runs.

    python benchmarks/leaks.py [--runs N] [--real N]

A tuning keeps its runs, so memory grows by some hundred bytes for each. A leak would show as growth that is
larger in later quarters, or as files that stay open. The simulated tuning has no model, whose memory grows
with its data and is given back.
"""

import argparse
import gc
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from slots import memory_mb, open_files

from tightrope import Budget, Scenario, tune
from tightrope.records import Config, Event, Finished, Trial
from tightrope.run import CommandTarget, LocalPool, Virtual

QUARTERS = 4


def cost(config: Any, instance: str, seed: int) -> float:
    return float(0.1 + (config["x"] - 0.3) ** 2 + 0.01 * int(instance[1:]))


def look_at(n: int, total: int, label: str) -> None:
    gc.collect()
    print(f"| {label} | {n:,} of {total:,} | {memory_mb():.0f} MB | {open_files()} |", flush=True)


def watch(total: int, label: str) -> Callable[[Event], None]:
    """Return a watch that looks at this process after each quarter of the runs."""
    n = 0

    def note(event: Event) -> None:
        nonlocal n
        if isinstance(event, Finished):
            n += 1
            if n % (total // QUARTERS) == 0 or n == total // 50:
                look_at(n, total, label)

    return note


def simulated(total: int) -> None:
    scenario = Scenario(
        space={"x": (0.0, 1.0), "y": (0.0, 1.0)},
        instances=[f"i{number}" for number in range(1000)],
        ceiling=10.0,
        budget=Budget(runs=total),
        model="random",
    )
    with tempfile.TemporaryDirectory() as folder:
        tune(
            scenario,
            executor=Virtual(cost, slots=64),
            journal=Path(folder) / "run.journal",
            watch=watch(total, "simulated tuning"),
        )


def real(total: int) -> None:
    """Run commands without an engine: what stays is the executor's."""
    with LocalPool(8, oversubscribe=True).open(CommandTarget(["true"])) as executor:
        started = ended = 0
        for goal in (total // 50, *(total * quarter // QUARTERS for quarter in range(1, QUARTERS + 1))):
            while ended < goal:
                while started < goal and started - ended < executor.slots:
                    executor.start(Trial(started, Config({}), cap=60.0))
                    started += 1
                ended += len(executor.wait())
            look_at(ended, total, "real processes")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=200_000)
    parser.add_argument("--real", type=int, default=5_000)
    options = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    print("| what | runs | memory | open files |\n| --- | --- | --- | --- |")
    if options.real:
        real(options.real)
    if options.runs:
        simulated(options.runs)


if __name__ == "__main__":
    main()
