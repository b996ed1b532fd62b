"""Checks of the user's input: each error message names the argument and the offending value."""

from collections.abc import Callable, Mapping
from math import isfinite
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import column_or_1d

from tightrope.forest.responses import Responses
from tightrope.forest.scale import choose_unit

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
_Rule = tuple[Callable[[Any], bool], str]

_LARGEST_RESPONSE = 2.0**1000  # about 1e301: sums of many, and values imputed above them, stay finite


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
    if parameters["oob"] is not False and parameters["oob"] != "auto" and not parameters["bootstrap"]:
        raise ValueError("oob=True needs bootstrap=True: without a bootstrap every tree holds every point")
    ceiling = parameters["ceiling"]
    if parameters["log"] and ceiling is not None and ceiling <= 0:
        raise ValueError(f"ceiling must be positive when log=True, got {ceiling!r}")


def read_responses(
    y: Any, censored: Any, sample_weight: Any, baseline: Any, *, n_rows: int, parameters: Mapping[str, Any]
) -> Responses:
    """Check the responses, and return them on the model's scale."""
    values, mask = split_responses(y, censored, n_rows=n_rows)
    log, ceiling = parameters["log"], parameters["ceiling"]
    _check_values(values, log=log, ceiling=ceiling)
    weights = check_weights(sample_weight, n_rows=n_rows)
    limit = np.inf if ceiling is None else float(ceiling)
    if log:
        par = float(parameters["par"])
        costs = np.where(values >= limit, par * limit, values) if par != 1.0 else values
        top = np.log(limit)
        if baseline is None:
            return Responses(np.log(values), mask, costs=costs, weights=weights, ceiling=top, par=par)
        typical = check_baseline(baseline, n=n_rows)
        return Responses(
            np.log(values) - np.log(typical),
            mask,
            costs=costs / typical,
            weights=weights,
            ceiling=top - np.log(typical),
            par=par,
        )
    if baseline is not None:
        raise ValueError("baseline needs log=True")
    floor = parameters["min_variance"]
    floor = 0.0 if isinstance(floor, str) else float(floor)
    unit = choose_unit(values, min_variance=floor, imputes=bool(mask.any()))
    return Responses(values / unit, mask, weights=weights, ceiling=limit / unit, unit=unit)


def check_baseline(baseline: Any, *, n: int) -> Floats:
    """Return positive numbers, one for each of n rows or instances."""
    values = _as_floats(baseline, name="baseline")
    if values.shape != (n,):
        raise ValueError(f"baseline must have shape ({n},), got {values.shape}")
    is_wrong = ~((values > 0) & np.isfinite(values))
    _refuse(is_wrong, values, "baseline must be positive and finite", name="baseline")
    return values


def split_responses(y: Any, censored: Any, *, n_rows: int) -> tuple[Floats, Mask]:
    """Return y and the mask of censored rows, from two arrays or from a structured one of scikit-survival."""
    if y is None:
        raise ValueError("CensoredForest requires y to be passed, but the target y is None")
    names = getattr(getattr(y, "dtype", None), "names", None)
    if names is not None:
        if censored is not None:
            raise ValueError(
                f"censored was given, but y has the fields {names}, which already mark the censored rows"
            )
        y, censored = _split_structured(y)
    values = np.asarray(column_or_1d(_as_floats(y, name="y"), warn=True))
    if values.size != n_rows:
        raise ValueError(f"y has {values.size} values, but X has {n_rows} rows")
    mask = check_mask(censored, n_rows=n_rows)
    _refuse(
        np.isinf(values), values, "y contains infinity or a value too large for dtype('float64')", name="y"
    )
    _refuse(np.isnan(values), values, "y contains NaN", name="y")
    return values, mask


def _as_floats(values: Any, *, name: str) -> Floats:
    try:
        array = np.asarray(values)
        if array.dtype.kind not in "biufO":  # complex numbers and dates would silently become floats
            raise ValueError(f"{name} must hold numbers, got dtype {array.dtype}: {array.ravel()[:1]} first")
        return np.asarray(array, dtype=np.float64)
    except (TypeError, OverflowError, ValueError) as error:
        if str(error).startswith(name):
            raise
        raise ValueError(f"{name} must hold numbers: {error}") from error


def _split_structured(y: NDArray[Any]) -> tuple[NDArray[Any], Mask]:
    fields = y.dtype.names or ()
    kinds = "".join(y.dtype[name].kind for name in fields)
    if len(fields) != 2 or kinds[0] != "b" or kinds[1] not in "iuf":
        raise ValueError(f"y must have the two fields event (bool) and time (number), got {y.dtype}")
    return y[fields[1]], ~y[fields[0]]


def check_mask(censored: Any, *, n_rows: int) -> Mask:
    """Return a mask of booleans; None means that nothing is censored."""
    if censored is None:
        return np.zeros(n_rows, dtype=bool)
    try:
        mask = np.asarray(censored)
    except ValueError as error:  # rows of several lengths
        raise ValueError(f"censored must hold booleans (or 0 and 1): {error}") from error
    if mask.shape != (n_rows,):
        raise ValueError(f"censored has shape {mask.shape}, but X has {n_rows} rows")
    if mask.dtype.kind == "b":
        return mask
    if mask.dtype.kind == "O":
        _refuse(~_are_flags(mask), mask, "censored must hold booleans (or 0 and 1)", name="censored")
    elif mask.dtype.kind not in "iu":
        raise ValueError(
            f"censored must hold booleans (or 0 and 1), got dtype {mask.dtype}: {mask[0]!r} first"
        )
    _refuse((mask != 0) & (mask != 1), mask, "censored must hold booleans (or 0 and 1)", name="censored")
    return np.asarray(mask == 1)


def _are_flags(objects: NDArray[Any]) -> Mask:
    return np.array(
        [isinstance(value, bool | np.bool_ | Integral) and value in (0, 1) for value in objects], dtype=bool
    )


def _check_values(y: Floats, *, log: bool, ceiling: float | None) -> None:
    """Raise an error for responses, or bounds, that the model cannot use."""
    complaint = f"y must lie between -{_LARGEST_RESPONSE:.3g} and {_LARGEST_RESPONSE:.3g}"
    _refuse(np.abs(y) > _LARGEST_RESPONSE, y, complaint, name="y")
    if log:
        _refuse(y <= 0, y, "y must be positive when log=True", name="y")
    if ceiling is not None:
        _refuse(y > ceiling, y, f"ceiling={ceiling!r} is below a value of y", name="y")


def check_weights(sample_weight: Any, *, n_rows: int) -> Floats | None:
    """Return the weights, the largest between 1/2 and 1, or None where they are all the same."""
    if sample_weight is None:
        return None
    weights = _as_floats(sample_weight, name="sample_weight")
    if weights.shape != (n_rows,):
        raise ValueError(f"sample_weight has shape {weights.shape}, but X has {n_rows} rows")
    _refuse(~np.isfinite(weights), weights, "sample_weight must be finite", name="sample_weight")
    _refuse(weights < 0, weights, "sample_weight must not be negative", name="sample_weight")
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
    probabilities = _as_floats(q, name="q")
    bad = ~((probabilities > 0.0) & (probabilities < 1.0))
    if bad.any():
        raise ValueError(f"q must lie between 0 and 1, got {probabilities[bad].flat[0]}")
    return probabilities


def _refuse(bad: Mask, values: NDArray[Any], complaint: str, *, name: str) -> None:
    if bad.any():
        row = int(np.argmax(bad))
        raise ValueError(f"{complaint}: {name}[{row}] is {values[row]}")
