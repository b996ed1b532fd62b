"""Configuration spaces: ConfigSpace for users, arrays for the algorithms."""

from tightrope.space.design import latin_hypercube, sobol
from tightrope.space.neighbours import neighbours
from tightrope.space.space import Space

__all__ = ["Space", "latin_hypercube", "neighbours", "sobol"]
