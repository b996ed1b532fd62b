"""Speed of simulated time: a week of a thousand workers, with some runs cancelled.

    python benchmarks/virtual.py [--workers N] [--days D] [--mean-s S]

Costs are lognormal. One start in twenty is cancelled at the next event, like the sibling runs of a dropped
challenger. An event is a start, a cancellation or an end.
"""

import argparse
import random
import time

from tightrope.records import Config, Trial
from tightrope.run.virtual import Virtual

GOAL_S = 600.0
CAP_S = 300.0
CANCELLED_EVERY = 20
DAY_S = 86_400.0


def simulate(n_workers: int, days: float, *, mean_s: float) -> tuple[int, int]:
    """Keep all workers busy until the simulated time is over; return the numbers of ended runs and events."""
    costs = random.Random(1)
    config = Config({})
    n_started = n_ended = n_cancelled = 0
    to_cancel: list[int] = []
    with Virtual(
        lambda config, instance, seed: mean_s * costs.lognormvariate(-0.5, 1.0), slots=n_workers
    ).open() as executor:
        free = n_workers
        while executor.clock() < days * DAY_S:
            for trial_id in to_cancel:
                executor.cancel(trial_id)
            n_cancelled += len(to_cancel)
            to_cancel = []
            for _ in range(free):
                executor.start(Trial(n_started, config, cap=CAP_S))
                if n_started % CANCELLED_EVERY == 0:
                    to_cancel.append(n_started)
                n_started += 1
            outcomes = executor.wait()
            ended = {outcome.trial_id for outcome in outcomes}
            to_cancel = [trial_id for trial_id in to_cancel if trial_id not in ended]
            free = len(outcomes)
            n_ended += free
    return n_ended, n_started + n_cancelled + n_ended


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=1000)
    parser.add_argument("--days", type=float, default=7.0)
    parser.add_argument("--mean-s", type=float, default=60.0, help="mean cost of a run without its cap")
    arguments = parser.parse_args()
    start, cpu_start = time.perf_counter(), time.process_time()
    n_runs, n_events = simulate(arguments.workers, arguments.days, mean_s=arguments.mean_s)
    cpu_s, wall_s = time.process_time() - cpu_start, time.perf_counter() - start
    print("| simulated | runs | CPU | wall | events per CPU second |\n| --- | --- | --- | --- | --- |")
    simulated = f"{arguments.workers} workers, {arguments.days:g} days"
    print(f"| {simulated} | {n_runs:,} | {cpu_s:.0f} s | {wall_s:.0f} s | {n_events / cpu_s:,.0f} |")
    print(f"\nthe goal of at most {GOAL_S:.0f} s is {'met' if cpu_s <= GOAL_S else 'missed'}")


if __name__ == "__main__":
    main()
