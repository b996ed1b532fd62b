"""Forests of the kernel for the problems of the reference."""

from typing import Any

from reference.problems import Problem
from tightrope.forest import _kernel


def kernel_forest(problem: Problem, **changes: Any) -> _kernel.Forest:
    """Grow the forest of a problem."""
    table = _kernel.Table(problem.X, problem.categorical)
    return _kernel.grow(table, *problem.arguments(), **(problem.options() | changes))
