"""Budgets, arms and numbers of seeds of SPEAR's tunings."""

from dataclasses import dataclass

from lib.arena.arms import ARMS, MAIN, NO_CENSORING, RANDOM


@dataclass(frozen=True, slots=True)
class Plan:
    """The arms that tune with this budget in simulated seconds, and the number of seeds."""

    budget_s: float
    arms: tuple[str, ...]
    n_seeds: int


_MAIN_ARMS = (MAIN, NO_CENSORING, RANDOM)
PLANS: dict[str, Plan] = {
    "3h": Plan(10_800.0, tuple(ARMS), n_seeds=20),
    "10000s": Plan(10_000.0, _MAIN_ARMS, n_seeds=20),
    "50000s": Plan(50_000.0, _MAIN_ARMS, n_seeds=20),
    "2d": Plan(172_800.0, _MAIN_ARMS, n_seeds=10),
}
