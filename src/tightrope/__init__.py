"""Minimise what costs you while you measure it."""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tightrope.api.ablate import ablate
    from tightrope.api.ablation import Ablation
    from tightrope.api.check import check
    from tightrope.api.minimize import minimize
    from tightrope.api.optimizer import Optimizer
    from tightrope.api.result import MinimizeResult, Result, TuneResult
    from tightrope.api.tune import tune
    from tightrope.api.validate import validate
    from tightrope.api.validation import Validation
    from tightrope.budget import Budget
    from tightrope.forest import CensoredForest
    from tightrope.gallery.importance import importance
    from tightrope.gp import CensoredProcess
    from tightrope.race.tactics import Tactics
    from tightrope.run.function.reply import Capped
    from tightrope.scenario import Scenario

__all__ = [
    "Ablation",
    "Budget",
    "Capped",
    "CensoredForest",
    "CensoredProcess",
    "MinimizeResult",
    "Optimizer",
    "Result",
    "Scenario",
    "Tactics",
    "TuneResult",
    "Validation",
    "ablate",
    "check",
    "importance",
    "minimize",
    "tune",
    "validate",
]

_HOMES = {
    "Ablation": "api.ablation",
    "Budget": "budget",
    "Capped": "run.function.reply",
    "CensoredForest": "forest",
    "CensoredProcess": "gp",
    "MinimizeResult": "api.result",
    "Optimizer": "api.optimizer",
    "Result": "api.result",
    "Scenario": "scenario",
    "Tactics": "race.tactics",
    "TuneResult": "api.result",
    "Validation": "api.validation",
    "ablate": "api.ablate",
    "check": "api.check",
    "importance": "gallery.importance",
    "minimize": "api.minimize",
    "tune": "api.tune",
    "validate": "api.validate",
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
