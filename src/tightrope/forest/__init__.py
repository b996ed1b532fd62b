"""Random forests for censored responses."""

from tightrope.forest.estimator import CensoredForest
from tightrope.forest.risk import RiskModel
from tightrope.forest.settings import ALGORITHM_1

__all__ = ["ALGORITHM_1", "CensoredForest", "RiskModel"]
