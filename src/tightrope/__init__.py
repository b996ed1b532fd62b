"""Minimise what costs you while you measure it."""

from tightrope.answer import Capped
from tightrope.budget import Budget
from tightrope.forest import CensoredForest
from tightrope.gp import CensoredProcess
from tightrope.minimize import minimize
from tightrope.optimizer import Optimizer
from tightrope.result import Result

__all__ = ["Budget", "Capped", "CensoredForest", "CensoredProcess", "Optimizer", "Result", "minimize"]
