"""The arms of the comparisons: one engine with different settings."""

from math import inf
from typing import Any

Settings = dict[str, Any]  # keyword arguments of a Scenario


MAIN, NO_CENSORING, RANDOM = "slack 1.3", "no censoring", "random search"
PLAIN = "random search, no censoring"  # neither caps nor a model
ARMS: dict[str, Settings] = {
    "slack 1": {"slack": 1.0},
    "slack 1.1": {"slack": 1.1},
    MAIN: {"slack": 1.3},  # the default
    "slack 1.5": {"slack": 1.5},
    "slack 2": {"slack": 2.0},
    NO_CENSORING: {"slack": inf},
    "slack 1.3, mean": {"slack": 1.3, "treatment": "mean"},
    "slack 1.3, drop": {"slack": 1.3, "treatment": "drop"},
    "slack 1.3, ignore": {"slack": 1.3, "treatment": "ignore"},
    RANDOM: {"slack": 1.3, "model": "random"},
    PLAIN: {"slack": inf, "model": "random"},
}
PAPER = (
    "slack 1",
    "slack 1.1",
    MAIN,
    "slack 1.5",
    "slack 2",
    NO_CENSORING,
)  # as in the paper's Table 1
