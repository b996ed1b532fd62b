"""Random forests for censored responses."""

from tightrope.forest.estimator import CensoredForest
from tightrope.forest.settings import ALGORITHM_1

__all__ = ["ALGORITHM_1", "CensoredForest"]
