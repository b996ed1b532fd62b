"""Overhead of a tuning, in CPU time with one thread: TIGHTROPE_DATA=... python benchmarks/engine.py.

SPEAR with 26 parameters is tuned on 302 instances with 138 features, in simulated time. The time of the
simulated solver is not counted. --runs sets the number of runs. The first figure is the mean over the first
10,000 runs; the others are means over the second half of the given number of runs.
"""

import argparse
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from timing import milliseconds

sys.path.insert(0, str(Path(__file__).parents[1] / "experiments"))

from lib.spear import CEILING_S, spear_arena

from tightrope import Budget, Scenario, tune
from tightrope.records import Event, Finished
from tightrope.run import Virtual

GOAL_S = 0.005
GOAL_RATIO = 1.5
MILESTONES = (1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000)


class OverheadClock:
    """CPU time of the tuning at the end of each run, without the time of the simulated solver."""

    def __init__(self) -> None:
        self._arena = spear_arena("surrogate")
        self._solver_s = 0.0
        self.spent_s = [time.process_time()]

    def cost(self, config: Mapping[str, Any], instance: str, seed: int) -> float:
        """Return the cost of a run."""
        start_s = time.process_time()
        cost = self._arena.cost(config, instance, seed)
        self._solver_s += time.process_time() - start_s
        return cost

    def watch(self, event: Event) -> None:
        """Record the time at the end of a run."""
        if isinstance(event, Finished):
            self.spent_s.append(time.process_time() - self._solver_s)

    def scenario(self, runs: int) -> Scenario:
        """Return the scenario with a budget of this many runs."""
        arena = self._arena
        return Scenario(
            space=arena.space,
            instances=arena.instances_train,
            features=arena.features,
            ceiling=CEILING_S,
            budget=Budget(runs=runs),
        )

    def mean_s(self, first: int, last: int) -> float:
        """Return the mean time per run between two runs."""
        return (self.spent_s[last] - self.spent_s[first]) / (last - first)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=MILESTONES[-1])
    runs = parser.parse_args().runs
    clock = OverheadClock()
    clock.spent_s = [time.process_time()]
    result = tune(clock.scenario(runs), executor=Virtual(clock.cost), watch=clock.watch)
    n_configs = len(result.history.columns.configs)
    print(f"{runs} runs of {n_configs} configs, {result.spent:.0f} simulated seconds\n")
    print("| runs | CPU time per run | goal |\n| --- | --- | --- |")
    upto = min(10_000, runs)
    mean = milliseconds(clock.mean_s(0, upto))
    print(f"| 0 to {upto} | {mean} | {milliseconds(GOAL_S)} |")
    around = {n: clock.mean_s(n // 2, n) for n in MILESTONES if n <= runs}
    for n, mean_s in around.items():
        print(f"| {n // 2} to {n} | {milliseconds(mean_s)} | |")
    if runs >= MILESTONES[-1]:
        ratio = around[50_000] / around[5_000]
        print(
            f"\na run takes {ratio:.2f} times as long at 50,000 runs as at 5,000 (goal: at most {GOAL_RATIO})"
        )


if __name__ == "__main__":
    main()
