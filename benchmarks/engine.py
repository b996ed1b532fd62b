"""What a tuning itself costs, in CPU time with one thread: TIGHTROPE_DATA=... python benchmarks/engine.py.

SPEAR with 26 parameters is tuned on 302 instances with 138 features, in simulated time. What answering for
the solver takes is not counted. --runs says how many runs there are; the first figure is the mean of all up
to 10,000, the others are means over the second half of so many runs.
"""

import argparse
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from timing import milliseconds

sys.path.insert(0, str(Path(__file__).parents[1] / "experiments"))

from lib.spear import CEILING_S, arena

from tightrope import Budget, Scenario, tune
from tightrope.records import Event, Finished
from tightrope.run import Virtual

GOAL_S = 0.005
GOAL_RATIO = 1.5
MILESTONES = (1_000, 2_500, 5_000, 10_000, 25_000, 50_000)


class Account:
    """CPU time that the tuning has taken when each run ended, without what the simulated solver takes."""

    def __init__(self) -> None:
        self._arena = arena("surrogate")
        self._solver_s = 0.0
        self.spent_s = [time.process_time()]

    def cost(self, config: Mapping[str, Any], instance: str, seed: int) -> float:
        """Answer for the solver."""
        start_s = time.process_time()
        cost = self._arena.cost(config, instance, seed)
        self._solver_s += time.process_time() - start_s
        return cost

    def watch(self, event: Event) -> None:
        """Take down the time."""
        if isinstance(event, Finished):
            self.spent_s.append(time.process_time() - self._solver_s)

    def scenario(self, runs: int) -> Scenario:
        """Return what is tuned, for so many runs."""
        arena = self._arena
        return Scenario(
            space=arena.space,
            instances=arena.instances_train,
            features=arena.features,
            ceiling=CEILING_S,
            budget=Budget(runs=runs),
        )

    def mean_s(self, first: int, last: int) -> float:
        """Return the mean per run between two of them."""
        return (self.spent_s[last] - self.spent_s[first]) / (last - first)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=MILESTONES[-1])
    runs = parser.parse_args().runs
    account = Account()
    account.spent_s = [time.process_time()]
    result = tune(account.scenario(runs), executor=Virtual(account.cost), watch=account.watch)
    n_configs = len(result.history.columns.configs)
    print(f"{runs} runs of {n_configs} configs, {result.spent:.0f} simulated seconds\n")
    print("| runs | CPU time of one | goal |\n| --- | --- | --- |")
    upto = min(10_000, runs)
    mean = milliseconds(account.mean_s(0, upto))
    print(f"| all up to {upto} | {mean} | {milliseconds(GOAL_S)} |")
    around = {n: account.mean_s(n // 2, n) for n in MILESTONES if n <= runs}
    for n, mean_s in around.items():
        print(f"| {n // 2} to {n} | {milliseconds(mean_s)} | |")
    if runs >= MILESTONES[-1]:
        ratio = around[50_000] / around[5_000]
        print(
            f"\nat 50,000 runs one takes {ratio:.2f} times as long as at 5,000 (goal: at most {GOAL_RATIO})"
        )


if __name__ == "__main__":
    main()
