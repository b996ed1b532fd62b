"""Measure how many runs a tuning makes with the budgets of lib/budgets.py.

    python experiments/budgets                      all scenarios
    python experiments/budgets cp-sat-tours         only these scenarios

The seeds are used by no comparison.
"""

import argparse

from lib.arena.arena import Arena
from lib.arena.arms import ARMS, MAIN
from lib.arena.measure import attempt
from lib.budgets import budget_of
from lib.scenarios import find_scenarios

_SEEDS = (1, 2, 3)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("scenarios", nargs="*", metavar="NAME")
    arenas = find_scenarios().arenas
    for name in parser.parse_args(arguments).scenarios or arenas:
        print(f"{name}: {_measure(arenas[name](), budget_of(name))}", flush=True)


def _measure(arena: Arena, budget: int) -> str:
    cost = budget * arena.train_cost(arena.default)
    found = [attempt(arena, ARMS[MAIN], budget=cost, seed=seed) for seed in _SEEDS]
    runs, configs = ([round(each[key]) for each in found] for key in ("n_runs", "n_configs"))
    return f"{runs} runs of {configs} configs, with a budget of {budget} runs of the default"
