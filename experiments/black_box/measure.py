"""The cost of an arm until it is close to the optimum."""

import time
from collections.abc import Hashable
from math import inf

from black_box.arms import Arm
from black_box.problems import Problem

TOLERANCES = (0.1, 0.01)


def attempt(problem: Problem, arm: Arm, *, seed: int) -> dict[str, float]:
    """Run an arm until it reaches the smallest tolerance or its limit; costs are in units of the optimum.

    The record has, for each tolerance, the cost until it was reached and whether it was; if it was not, the
    cost is the total spent.
    """
    start_s = time.process_time()
    spent, best = 0.0, inf
    configs: set[Hashable] = set()
    reached: dict[float, float] = {}
    for charged, cost, config in arm(problem, seed):
        if best < inf:
            configs.add(config)
        spent += charged / problem.optimum
        best = min(best, cost / problem.optimum)
        for tolerance in TOLERANCES:
            if best <= 1.0 + tolerance:
                reached.setdefault(tolerance, spent)
        if min(TOLERANCES) in reached or len(configs) >= problem.most:
            break
    record: dict[str, float] = {}
    for tolerance in TOLERANCES:
        record[f"spent_{tolerance:g}"] = reached.get(tolerance, spent)
        record[f"hit_{tolerance:g}"] = int(tolerance in reached)
    cpu_s = time.process_time() - start_s
    return {**record, "best": best, "configs": len(configs), "cpu_s": round(cpu_s, 3)}
