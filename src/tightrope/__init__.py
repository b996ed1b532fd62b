"""Minimise what costs you while you measure it."""

from tightrope.forest import CensoredForest

__all__ = ["CensoredForest"]
