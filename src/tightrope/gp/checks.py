"""Checks of the user's input: each error message names the argument and the offending value."""

from collections.abc import Callable, Mapping
from math import isfinite
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import column_or_1d

from tightrope.gp.hyperparameters import Hyperparameters

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool | np.bool_) and isfinite(value)


def _is_count(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= 0


_COUNT = (_is_count, "a whole number of at least 0")
_RULES: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "log": ((lambda value: isinstance(value, bool | np.bool_)), "True or False"),
    "noise": (
        (lambda value: value is None or (_is_number(value) and value >= 0)),
        "None or a finite number of at least 0",
    ),
    "max_iter": _COUNT,
    "n_restarts": _COUNT,
}


def check_parameters(parameters: Mapping[str, Any]) -> None:
    """Check the estimator's parameters."""
    for name, (holds, expected) in _RULES.items():
        if not holds(parameters[name]):
            raise ValueError(f"{name} must be {expected}, got {parameters[name]!r}")


def check_inputs(X: Floats) -> None:
    """Raise an error if X contains NaN or infinity."""
    for bad, what in ((np.isnan(X), "NaN"), (np.isinf(X), "infinity")):
        if bad.any():
            row, column = np.argwhere(bad)[0]
            raise ValueError(f"X contains {what}: X[{row}, {column}] is {X[row, column]}")


def read_responses(y: Any, censored: Any, *, n_rows: int, log: bool) -> tuple[Floats, Mask]:
    """Check responses and mask, and return the responses on the model's scale."""
    if y is None:
        raise ValueError("CensoredProcess requires y to be passed, but the target y is None")
    values = np.asarray(column_or_1d(y, warn=True), dtype=np.float64)
    if values.size != n_rows:
        raise ValueError(f"y has {values.size} values, but X has {n_rows} rows")
    _refuse(np.isnan(values), values, "y contains NaN", name="y")
    _refuse(np.isinf(values), values, "y contains infinity", name="y")
    if log:
        _refuse(values <= 0, values, "y must be positive when log=True", name="y")
        values = np.log(values)
    return values, _check_mask(censored, n_rows=n_rows)


def _check_mask(censored: Any, *, n_rows: int) -> Mask:
    if censored is None:
        return np.zeros(n_rows, dtype=bool)
    mask = np.asarray(censored)
    if mask.shape != (n_rows,):
        raise ValueError(f"censored has shape {mask.shape}, but X has {n_rows} rows")
    if mask.dtype.kind not in "biu":
        raise ValueError(
            f"censored must hold booleans (or 0 and 1), got dtype {mask.dtype}: {mask[0]!r} first"
        )
    _refuse((mask != 0) & (mask != 1), mask, "censored must hold booleans (or 0 and 1)", name="censored")
    return np.asarray(mask == 1)


def check_start(start: Any, *, n_columns: int) -> Hyperparameters | None:
    """Raise an error if `start` is not a valid set of hyperparameters."""
    if start is None:
        return None
    if not isinstance(start, Hyperparameters):
        raise ValueError(f"start must be the hyperparameters_ of a fitted process, got {start!r}")
    lengths = np.asarray(start.lengths, dtype=np.float64)
    if lengths.shape != (n_columns,):
        raise ValueError(f"start.lengths has shape {lengths.shape}, but X has {n_columns} columns")
    _refuse(
        ~((lengths > 0) & np.isfinite(lengths)), lengths, "start.lengths must be positive", name="lengths"
    )
    for name, least in (("signal", 0.0), ("noise", 0.0), ("mean", -np.inf)):
        value = getattr(start, name)
        if not (_is_number(value) and value >= least) or (name == "signal" and value == 0):
            raise ValueError(f"start.{name} must be a finite number above {least}, got {value!r}")
    return start


def _refuse(bad: Mask, values: NDArray[Any], complaint: str, *, name: str) -> None:
    if bad.any():
        row = int(np.argmax(bad))
        raise ValueError(f"{complaint}: {name}[{row}] is {values[row]}")
