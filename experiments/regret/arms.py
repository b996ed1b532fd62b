"""The arms: settings of a Scenario, some of which depend on the arena and the budget.

Tactics are given as dictionaries. Those of "now" are spelled out, so that they stay the same when the
defaults change; "default" follows the code.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from lib.arena.arena import Arena
from lib.arena.arms import Settings

from tightrope import Tactics

Arm = Callable[[Arena, float], Settings]

NOW: Mapping[str, Any] = {
    "first_tasks": 8,
    "opening": 2.0,
    "first_rung": 1,
    "stake": 0.25,
    "tolerance": 1.0,
    "defence": 0.03,
    "n_design": 10,
    "random_share": 0.25,
    "n_rivals": 2,
    "growth": 0.1,
    "fewest_runs": 4,
    "trees": 10,
    "components": 7,
    "relative": True,
    "belief": False,
}
FORMER: Mapping[str, Any] = {**NOW, "first_tasks": 20, "opening": 10.0, "defence": 0.25}
SLACK = 1.3
CHARGE = 2.75  # an unsolved run counts as this multiple of the working ceiling
_LONGEST = 1 / 250  # share of the budget that a working ceiling allows for a run
_SPREAD = 3.0  # it is at least this multiple of the default's mean cost


def working_ceiling(arena: Arena, budget: float) -> float:
    """Return a ceiling below the user's, such that a run at the ceiling uses little of the budget."""
    return min(arena.ceiling, max(_LONGEST * budget, _SPREAD * arena.train_cost(arena.default)))


def _fixed(tactics: Mapping[str, Any]) -> Arm:
    return lambda arena, budget: {"slack": SLACK, "tactics": dict(tactics)}


def _under_working_ceiling(tactics: Mapping[str, Any], *, bounded: bool = False) -> Arm:
    """Return an arm with a working ceiling; if bounded, no run counts more than the user's ceiling."""

    def settings(arena: Arena, budget: float) -> Settings:
        ceiling = working_ceiling(arena, budget)
        par = min(CHARGE, arena.ceiling / ceiling) if bounded else CHARGE
        return {"slack": SLACK, "ceiling": ceiling, "par": par, "tactics": dict(tactics)}

    return settings


ARMS: dict[str, Arm] = {
    "now": _fixed(NOW),
    "former": _fixed(FORMER),
    "paper": _fixed(asdict(Tactics.of_the_paper())),
    "ceiling": _under_working_ceiling(NOW),
    "bounded ceiling": _under_working_ceiling(NOW, bounded=True),
    "sketch": _under_working_ceiling({**FORMER, "tolerance": 1.3}),
    "default": lambda arena, budget: {},
}
FIRST = ("now", "former", "paper", "ceiling", "sketch", "default")  # arms that are compared if none are named
