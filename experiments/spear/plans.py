"""How long SPEAR is tuned, by whom, and how often."""

from dataclasses import dataclass

from arena.arms import ARMS, MAIN, NO_CENSORING, RANDOM


@dataclass(frozen=True, slots=True)
class Plan:
    """Which arms tune for how many simulated seconds, and with how many seeds."""

    budget_s: float
    arms: tuple[str, ...]
    n_seeds: int


_CHIEF = (MAIN, NO_CENSORING, RANDOM)
PLANS: dict[str, Plan] = {
    "3h": Plan(10_800.0, tuple(ARMS), n_seeds=20),
    "10000s": Plan(10_000.0, _CHIEF, n_seeds=20),
    "50000s": Plan(50_000.0, _CHIEF, n_seeds=20),
    "2d": Plan(172_800.0, _CHIEF, n_seeds=10),
}
