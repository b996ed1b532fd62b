"""Minimise what costs you while you measure it."""

from tightrope.answer import Capped
from tightrope.budget import Budget
from tightrope.forest import CensoredForest
from tightrope.gp import CensoredProcess
from tightrope.minimize import minimize
from tightrope.optimizer import Optimizer
from tightrope.race.tactics import Tactics
from tightrope.result import Result
from tightrope.scenario import Scenario
from tightrope.tune import tune
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
    "minimize",
    "tune",
]
