"""What a peer's runs cost: all that it may spend, and where its time goes."""

import time
from collections.abc import Mapping
from typing import Any

from arena.arena import Arena


class BudgetSpentError(Exception):
    """There is nothing left to spend."""


class GaveUpError(Exception):
    """A peer says that it cannot go on, and why; it has found nothing."""


class Ledger:
    """Answers for the solver, and charges each run as far as it went.

    Parameters
    ----------
    arena : Arena
        Knows what runs cost.
    budget : float
        What all runs together may cost; the last one may go beyond.
    most_runs : int
        No more than this, for a peer may go on for ever with runs whose cap is 0.
    """

    def __init__(self, arena: Arena, budget: float, *, most_runs: int) -> None:
        self._arena, self.budget, self._most_runs = arena, budget, most_runs
        self.spent, self.n_runs, self.cpu_s = 0.0, 0, 0.0

    @property
    def is_spent(self) -> bool:
        """Whether there is nothing left."""
        return self.spent >= self.budget or self.n_runs >= self._most_runs

    def run(self, config: Mapping[str, Any], instance: str, *, cap: float) -> float:
        """Return the cost of a run, at most its cap and the ceiling, where a good runner stops it."""
        if self.is_spent:
            raise BudgetSpentError
        start_s = time.process_time()
        cost = min(self._arena.cost(config, instance), max(cap, 0.0), self._arena.ceiling)
        self.cpu_s += time.process_time() - start_s  # no overhead of the peer
        self.spent += cost
        self.n_runs += 1
        return cost
