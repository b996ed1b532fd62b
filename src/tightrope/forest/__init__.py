"""Random forests for right-censored responses."""

from tightrope.forest.estimator import CensoredForest

__all__ = ["CensoredForest"]
