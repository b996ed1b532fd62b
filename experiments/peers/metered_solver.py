"""A simulated solver that charges a peer's runs to its budget."""

import time
from collections.abc import Mapping
from typing import Any

from lib.arena.arena import Arena


class BudgetSpentError(Exception):
    """The budget is spent."""


class GaveUpError(Exception):
    """A peer gave up without a result; the message is its reason."""


class MeteredSolver:
    """Simulates the solver, and charges the cost of each run up to its cap.

    Parameters
    ----------
    arena : Arena
        Knows the costs of runs.
    budget : float
        Total cost of all runs; the last run may exceed it.
    most_runs : int
        Limit of the number of runs: a peer might never stop if its runs have a cap of 0.
    """

    def __init__(self, arena: Arena, budget: float, *, most_runs: int) -> None:
        self._arena, self.budget, self._most_runs = arena, budget, most_runs
        self.spent, self.n_runs, self.cpu_s = 0.0, 0, 0.0

    @property
    def is_spent(self) -> bool:
        """Whether the budget is spent."""
        return self.spent >= self.budget or self.n_runs >= self._most_runs

    def run(self, config: Mapping[str, Any], instance: str, *, cap: float) -> float:
        """Return the cost of a run, at most its cap and the ceiling."""
        if self.is_spent:
            raise BudgetSpentError
        start_s = time.process_time()
        cost = min(self._arena.cost(config, instance), max(cap, 0.0), self._arena.ceiling)
        self.cpu_s += time.process_time() - start_s  # not overhead of the peer
        self.spent += cost
        self.n_runs += 1
        return cost
