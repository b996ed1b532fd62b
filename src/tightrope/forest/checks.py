"""Checks of the user's input: each error message names the argument and the offending value."""

from collections.abc import Callable, Mapping
from math import isfinite
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
_Rule = tuple[Callable[[Any], bool], str]


def _is_whole(value: Any, at_least: float = -np.inf) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= at_least


def _is_number(value: Any) -> bool:
    if not isinstance(value, Real) or isinstance(value, bool | np.bool_):
        return False
    try:
        return isfinite(value)
    except OverflowError:  # a whole number that no float can hold
        return False


def _is_choice(value: Any, *choices: str) -> bool:
    return isinstance(value, str) and value in choices


def _is_share(value: Any, below: float = np.inf) -> bool:
    return isinstance(value, float | np.floating) and bool(0.0 < value <= 1.0 and value < below)


def _one_of(*choices: str) -> _Rule:
    return (lambda value: _is_choice(value, *choices)), f"one of {', '.join(map(repr, choices))}"


def _flag() -> _Rule:
    return (lambda value: isinstance(value, bool | np.bool_)), "True or False"


def _whole(at_least: int) -> _Rule:
    return (lambda value: _is_whole(value, at_least)), f"a whole number of at least {at_least}"


def _not_negative() -> _Rule:
    return (lambda value: _is_number(value) and value >= 0), "a finite number of at least 0"


_RULES: Mapping[str, _Rule] = {
    "n_estimators": _whole(1),
    "treatment": _one_of("sample", "mean", "drop", "ignore"),
    "log": _flag(),
    "ceiling": ((lambda value: value is None or _is_number(value)), "None or a finite number"),
    "ceiling_rule": _one_of("shift", "shrink"),
    "par": ((lambda value: _is_number(value) and value >= 1), "a finite number of at least 1"),
    "positions": _one_of("paper", "midpoint"),
    "joint": _flag(),
    "max_iter": _whole(1),
    "tol": _not_negative(),
    "oob_score": _flag(),
    "oob": (
        (lambda value: _is_choice(value, "auto") or isinstance(value, bool | np.bool_)),
        "'auto', True or False",
    ),
    "max_features": (
        (
            lambda value: (
                value is None
                or _is_choice(value, "auto", "sqrt", "log2")
                or _is_whole(value, 1)
                or _is_share(value)
            )
        ),
        "a share in (0, 1], a whole number of at least 1, 'auto', 'sqrt', 'log2' or None",
    ),
    "min_samples_split": (
        (lambda value: _is_whole(value, 2) or _is_share(value)),
        "a whole number of at least 2 or a share in (0, 1]",
    ),
    "min_samples_leaf": (
        (lambda value: _is_choice(value, "auto") or _is_whole(value, 1) or _is_share(value, below=1.0)),
        "'auto', a whole number of at least 1 or a share in (0, 1)",
    ),
    "bootstrap": _flag(),
    "min_variance": (
        (lambda value: _is_choice(value, "auto") or (_is_number(value) and value >= 0)),
        "'auto' or a finite number of at least 0",
    ),
    "noise": _flag(),
    "start": _one_of("marginal", "uncensored"),
    "max_depth": (
        (lambda value: value is None or _is_whole(value, 1)),
        "None or a whole number of at least 1",
    ),
    "max_samples": (
        (lambda value: value is None or _is_whole(value, 1) or _is_share(value)),
        "None, a whole number of at least 1 or a share in (0, 1]",
    ),
    "n_jobs": (
        (lambda value: value is None or (_is_whole(value) and value != 0)),
        "None or a whole number other than 0",
    ),
}


def check_parameters(parameters: Mapping[str, Any]) -> None:
    """Check the estimator's parameters one by one, and then those that depend on each other."""
    for name, (holds, expected) in _RULES.items():
        if not holds(parameters[name]):
            raise ValueError(f"{name} must be {expected}, got {parameters[name]!r}")
    if parameters["max_samples"] is not None and not parameters["bootstrap"]:
        raise ValueError("max_samples needs bootstrap=True: without a bootstrap every tree holds every point")
    if parameters["oob_score"] and not parameters["bootstrap"]:
        raise ValueError("oob_score=True needs bootstrap=True: without a bootstrap no row is out of bag")
    if parameters["oob"] is not False and parameters["oob"] != "auto" and not parameters["bootstrap"]:
        raise ValueError("oob=True needs bootstrap=True: without a bootstrap every tree holds every point")
    ceiling = parameters["ceiling"]
    if parameters["log"] and ceiling is not None and ceiling <= 0:
        raise ValueError(f"ceiling must be positive when log=True, got {ceiling!r}")


def check_baseline(baseline: Any, *, n: int) -> Floats:
    """Return positive numbers, one for each of n rows or instances."""
    values = as_floats(baseline, name="baseline")
    if values.shape != (n,):
        raise ValueError(f"baseline must have shape ({n},), got {values.shape}")
    is_wrong = ~((values > 0) & np.isfinite(values))
    refuse(is_wrong, values, "baseline must be positive and finite", name="baseline")
    return values


def as_floats(values: Any, *, name: str) -> Floats:
    """Return numbers as an array; other things are an error."""
    try:
        array = np.asarray(values)
        if array.dtype.kind not in "biufO":  # complex numbers and dates would silently become floats
            raise ValueError(f"{name} must hold numbers, got dtype {array.dtype}: {array.ravel()[:1]} first")
        return np.asarray(array, dtype=np.float64)
    except (TypeError, OverflowError, ValueError) as error:
        if str(error).startswith(name):
            raise
        raise ValueError(f"{name} must hold numbers: {error}") from error


def are_flags(objects: NDArray[Any]) -> Mask:
    """Tell which objects are booleans, or one of -1, 0 and 1."""
    return np.array(
        [isinstance(value, bool | np.bool_ | Integral) and value in (-1, 0, 1) for value in objects],
        dtype=bool,
    )


def check_weights(sample_weight: Any, *, n_rows: int) -> Floats | None:
    """Return the weights, the largest between 1/2 and 1, or None where they are all the same."""
    if sample_weight is None:
        return None
    weights = as_floats(sample_weight, name="sample_weight")
    if weights.shape != (n_rows,):
        raise ValueError(f"sample_weight has shape {weights.shape}, but X has {n_rows} rows")
    refuse(~np.isfinite(weights), weights, "sample_weight must be finite", name="sample_weight")
    refuse(weights < 0, weights, "sample_weight must not be negative", name="sample_weight")
    if not weights.any():
        raise ValueError("sample_weight is zero in every row")
    if (weights == weights[0]).all():
        return None
    return np.asarray(np.ldexp(weights, -np.frexp(weights.max())[1]))


def check_choice(name: str, value: Any, choices: tuple[str, ...]) -> None:
    """Raise an error unless the value is one of the choices."""
    holds, expected = _one_of(*choices)
    if not holds(value):
        raise ValueError(f"{name} must be {expected}, got {value!r}")


def check_probabilities(q: Any) -> Floats:
    """Return q as an array of probabilities, 0 and 1 excluded."""
    probabilities = as_floats(q, name="q")
    bad = ~((probabilities > 0.0) & (probabilities < 1.0))
    if bad.any():
        raise ValueError(f"q must lie between 0 and 1, got {probabilities[bad].flat[0]}")
    return probabilities


def refuse(bad: Mask, values: NDArray[Any], complaint: str, *, name: str) -> None:
    """Raise an error that names the first bad value."""
    if bad.any():
        row = int(np.argmax(bad))
        raise ValueError(f"{complaint}: {name}[{row}] is {values[row]}")


def check_times(times: Any, *, name: str = "times") -> Floats:
    """Return times as an array of one dimension without NaN."""
    values = np.atleast_1d(as_floats(times, name=name))
    if values.ndim != 1 or np.isnan(values).any():
        raise ValueError(f"{name} must hold numbers in one dimension, got {values}")
    return values
