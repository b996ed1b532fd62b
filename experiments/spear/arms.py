"""Who competes: one engine under many settings, for how long, and how often."""

from dataclasses import dataclass
from math import inf
from typing import Any

Settings = dict[str, Any]  # of a Scenario


MAIN, NO_CENSORING, RANDOM = "slack 1.3", "no censoring", "random search"
ARMS: dict[str, Settings] = {
    "slack 1": {"slack": 1.0},
    "slack 1.1": {"slack": 1.1},
    MAIN: {"slack": 1.3},  # as by default
    "slack 1.5": {"slack": 1.5},
    "slack 2": {"slack": 2.0},
    NO_CENSORING: {"slack": inf},
    "slack 1.3, mean": {"slack": 1.3, "treatment": "mean"},
    "slack 1.3, drop": {"slack": 1.3, "treatment": "drop"},
    "slack 1.3, ignore": {"slack": 1.3, "treatment": "ignore"},
    RANDOM: {"slack": 1.3, "model": "random"},
}


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
