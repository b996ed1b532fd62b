"""Reads and checks what a function returned or yielded as its cost."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from numbers import Complex, Real
from typing import Any

import numpy as np

from tightrope.errors import TargetError
from tightrope.records import Trial

_EXPECTED = "return the cost as a number, or Capped(at=cap) if you stopped at the cap, or raise if it failed"


@dataclass(frozen=True)
class Capped:
    """Return value of a function that stopped at its cap: its cost is at least `at`.

    Parameters
    ----------
    at : float
        The cost spent when it stopped: the cap or more.

    Examples
    --------
    >>> def f(config, cap):
    ...     cost = 3 * config["n"]
    ...     return cost if cost < cap else Capped(at=cap)
    >>> f({"n": 2}, 10.0), f({"n": 4}, 10.0)
    (6, Capped(at=10.0))
    """

    at: float


@dataclass(frozen=True, slots=True)
class Answer:
    """A cost, or a lower bound on the cost if `capped`."""

    cost: float
    capped: bool = False


def read_answer(answer: object, trial: Trial, *, reached: float | None = None) -> Answer:
    """Interpret what a function returned; `reached` is its last partial cost, if any."""
    if isinstance(answer, Capped):
        return Answer(_read_bound(answer.at, trial, reached=reached), capped=True)
    cost = read_number(answer, trial, what="returned")
    if reached is not None and cost < reached:
        raise fault(
            f"returned {cost:.6g} after a partial cost of {reached:.6g}",
            trial.config,
            hint="return the total cost, including what was spent before the last yield",
        )
    return Answer(cost)


def read_number(value: object, trial: Trial, *, what: str) -> float:
    """Return a finite float; `what` is the verb for the message, such as "returned" or "yielded"."""
    if not _is_number(value):
        shown = "None" if value is None else f"{_short(value)}, a {type(value).__name__},"
        raise fault(f"{what} {shown} as its cost", trial.config, hint=_EXPECTED)
    number = float(value)  # type: ignore[arg-type]
    if not isfinite(number):
        raise fault(f"{what} {number} as its cost", trial.config, hint=_EXPECTED)
    return number


def read_partial(value: object, trial: Trial, *, reached: float | None) -> float:
    """Return a partial cost; it must not be smaller than the one before."""
    partial = read_number(value, trial, what="yielded")
    if partial < (0.0 if reached is None else reached):
        before = "" if reached is None else f" after {reached:.6g}"
        raise fault(
            f"yielded a partial cost of {partial:.6g}{before}",
            trial.config,
            hint="yield the total cost so far, not the cost since the last yield",
        )
    return partial


def fault(problem: str, config: Mapping[str, Any], *, hint: str) -> TargetError:
    """Return the error for an invalid answer for one config."""
    return TargetError(problem, config=config, hint=hint)


def _read_bound(at: object, trial: Trial, *, reached: float | None) -> float:
    bound = read_number(at, trial, what="was capped at")
    if bound < max(trial.cap, reached or 0.0):
        raise fault(
            f"returned Capped(at={bound:.6g}), which is below its cap of {trial.cap:.6g}",
            trial.config,
            hint="do not stop before the given cap; return Capped(at=cap), or raise if the config cannot be "
            "evaluated",
        )
    return bound


def _is_number(value: object) -> bool:
    """Return whether it is one real number: also numpy, decimal or a 0-d array, but no bool."""
    if isinstance(value, (bool, np.bool_, str)) or (
        isinstance(value, Complex) and not isinstance(value, Real)
    ):
        return False
    return hasattr(type(value), "__float__") and getattr(value, "shape", ()) == () and not _holds_bool(value)


def _holds_bool(value: object) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind not in "iuf"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
