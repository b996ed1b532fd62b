"""What a tuning may spend, so that it makes about a thousand runs with slack 1.3.

    python experiments/budgets.py                      how many runs tunings make with these budgets
    python experiments/budgets.py cp-sat-tours         the same, of some scenarios

Budgets are in runs of the default config at its mean cost on the training instances. They were measured with
seeds that no comparison uses.
"""

import sys

from arena.arena import Arena
from arena.arms import ARMS, MAIN
from arena.measure import attempt
from catalogue import find_scenarios, study_of

BUDGETS: dict[str, int] = {
    "clasp-circuits": 440,
    "clasp-large-circuits": 380,
    "cp-sat-knapsacks": 90,
    "cp-sat-lot-sizing": 400,
    "cp-sat-tours": 150,
    "kissat-large-parity": 400,
    "kissat-parity": 340,
    "SPEAR-SWV": 300,
}
NOT_MEASURED = 250  # of what is not in the table
QUICK_SHARE = 0.4
_SEEDS = (1, 2, 3)


def budget_of(scenario: str, *, share: float = 1.0) -> int:
    """Return how many runs of the default config a tuning may spend, with all configs or the recorded."""
    return round(share * BUDGETS.get(study_of(scenario), NOT_MEASURED))


def main(names: list[str]) -> None:
    arenas = find_scenarios().arenas
    for name in names or arenas:
        print(f"{name}: {_measure(arenas[name](), budget_of(name))}", flush=True)


def _measure(arena: Arena, budget: int) -> str:
    cost = budget * arena.train_cost(arena.default)
    found = [attempt(arena, ARMS[MAIN], budget=cost, seed=seed) for seed in _SEEDS]
    runs, configs = ([round(each[key]) for each in found] for key in ("n_runs", "n_configs"))
    return f"runs {runs}, of configs {configs}, with a budget of {budget} runs of the default"


if __name__ == "__main__":
    main(sys.argv[1:])
