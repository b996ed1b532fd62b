"""Gaussian processes for right-censored responses."""

from tightrope.gp.estimator import CensoredProcess
from tightrope.gp.hyperparameters import Hyperparameters

__all__ = ["CensoredProcess", "Hyperparameters"]
