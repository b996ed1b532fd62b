"""Minimise what costs you while you measure it."""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tightrope.answer import Capped
    from tightrope.budget import Budget
    from tightrope.doors.check import check
    from tightrope.doors.minimize import minimize
    from tightrope.doors.tune import tune
    from tightrope.doors.validate import validate
    from tightrope.forest import CensoredForest
    from tightrope.gp import CensoredProcess
    from tightrope.optimizer import Optimizer
    from tightrope.race.tactics import Tactics
    from tightrope.result import Result
    from tightrope.scenario import Scenario
    from tightrope.tuning import TuningResult

__all__ = [
    "Budget",
    "Capped",
    "CensoredForest",
    "CensoredProcess",
    "Optimizer",
    "Result",
    "Scenario",
    "Tactics",
    "TuningResult",
    "check",
    "minimize",
    "tune",
    "validate",
]

_HOMES = {
    "Budget": "budget",
    "Capped": "answer",
    "CensoredForest": "forest",
    "CensoredProcess": "gp",
    "Optimizer": "optimizer",
    "Result": "result",
    "Scenario": "scenario",
    "Tactics": "race.tactics",
    "TuningResult": "tuning",
    "check": "doors.check",
    "minimize": "doors.minimize",
    "tune": "doors.tune",
    "validate": "doors.validate",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is asked for: a command line that only prints its help needs none."""
    if name not in _HOMES:
        raise AttributeError(f"module 'tightrope' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"tightrope.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
