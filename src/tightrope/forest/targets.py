"""Reading y: responses, bounds and intervals, on the scale of y and on the model's scale."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import column_or_1d

from tightrope.forest.checks import are_flags, as_floats, check_baseline, check_weights, refuse
from tightrope.forest.responses import Interval, Responses
from tightrope.forest.scale import choose_unit

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

_LARGEST_RESPONSE = 2.0**1000  # about 1e301: sums of many, and values imputed above them, stay finite
_FLAGS = "censored must hold booleans (or 0 and 1, or -1 for upper bounds)"


@dataclass(frozen=True, slots=True)
class Targets:
    """What is known about each row, on the scale of y: `lower` <= response <= `upper`."""

    lower: Floats
    upper: Floats

    @property
    def censored(self) -> Mask:
        """Mask of the rows whose response was not observed."""
        return np.asarray(self.lower != self.upper)

    @property
    def one_sided(self) -> bool:
        """Whether all censored rows have lower bounds only."""
        return bool((np.isfinite(self.lower) & np.isposinf(self.upper) | ~self.censored).all())

    @property
    def values(self) -> Floats:
        """A value for each row: the response, the finite end, or the middle; 0 if nothing is known."""
        low = np.where(np.isfinite(self.lower), self.lower, self.upper)
        high = np.where(np.isfinite(self.upper), self.upper, low)
        middle = np.where(low == high, low, low / 2 + high / 2)  # half of the smallest number is 0
        return np.where(np.isfinite(low), middle, 0.0)


def read_responses(
    y: Any, censored: Any, sample_weight: Any, baseline: Any, *, n_rows: int, parameters: Mapping[str, Any]
) -> Responses:
    """Check the responses, and return them on the model's scale."""
    targets = read_targets(y, censored, n_rows=n_rows)
    log, ceiling = bool(parameters["log"]), parameters["ceiling"]
    targets = _check_values(targets, log=log, ceiling=ceiling)
    weights = check_weights(sample_weight, n_rows=n_rows)
    limit = np.inf if ceiling is None else float(ceiling)
    if log:
        typical = np.ones(n_rows) if baseline is None else check_baseline(baseline, n=n_rows)
        return _on_log_scale(targets, typical, weights=weights, limit=limit, par=float(parameters["par"]))
    if baseline is not None:
        raise ValueError("baseline needs log=True")
    floor = parameters["min_variance"]
    floor = 0.0 if isinstance(floor, str) else float(floor)
    values, mask = targets.values, targets.censored
    unit = choose_unit(values, min_variance=floor, imputes=bool(mask.any()))
    ends = None if targets.one_sided else Interval(targets.lower / unit, targets.upper / unit)
    return Responses(values / unit, mask, weights=weights, ceiling=limit / unit, unit=unit, ends=ends)


def _on_log_scale(
    targets: Targets, typical: Floats, *, weights: Floats | None, limit: float, par: float
) -> Responses:
    """Take logarithms, less those of what is typical. What may be 0 has no lower bound."""
    with np.errstate(divide="ignore"):
        lower, upper = np.log(targets.lower), np.log(targets.upper)
    one_sided = targets.one_sided and not np.isneginf(lower).any()
    # What stands for an interval is its middle on the log scale, or its only end.
    two_ended = (targets.lower > 0) & np.isfinite(targets.upper)
    ends = np.where(np.isfinite(targets.upper), targets.upper, targets.lower)
    middles = np.sqrt(np.where(two_ended, targets.lower, 1.0)) * np.sqrt(np.where(two_ended, ends, 1.0))
    values = np.where(two_ended & targets.censored, middles, ends)
    values = np.where(values > 0, values, _smallest(targets))
    costs = np.where(values >= limit, par * limit, values) if par != 1.0 else values
    shift = np.log(typical)
    known = None if one_sided else Interval(lower - shift, upper - shift)
    return Responses(
        np.log(values) - shift,
        targets.censored,
        costs=costs / typical,
        weights=weights,
        ceiling=np.log(limit) if not shift.any() else np.log(limit) - shift,
        par=par,
        ends=known,
    )


def _smallest(targets: Targets) -> float:
    """Return the smallest positive end of any row; 1 if there is none."""
    ends = np.concatenate([targets.lower, targets.upper])
    positive = ends[(ends > 0) & np.isfinite(ends)]
    return float(positive.min()) if positive.size else 1.0


def read_targets(y: Any, censored: Any, *, n_rows: int) -> Targets:
    """Read responses and bounds, intervals, or a structured array of scikit-survival."""
    if y is None:
        raise ValueError("CensoredForest requires y to be passed, but the target y is None")
    names = getattr(getattr(y, "dtype", None), "names", None)
    pair = _pair(y, n_rows=n_rows)
    if censored is not None and (names is not None or pair is not None):
        what = f"the fields {names}" if names is not None else "lower and upper ends"
        raise ValueError(f"censored was given, but y has {what}, which already mark the censored rows")
    if pair is not None:
        return _check_ends(*pair, n_rows=n_rows)
    if names is not None:
        y, censored = _split_structured(y)
    values = np.asarray(column_or_1d(as_floats(y, name="y"), warn=True))
    if values.size != n_rows:
        raise ValueError(f"y has {values.size} values, but X has {n_rows} rows")
    codes = check_codes(censored, n_rows=n_rows)
    refuse(
        np.isinf(values), values, "y contains infinity or a value too large for dtype('float64')", name="y"
    )
    refuse(np.isnan(values), values, "y contains NaN", name="y")
    return Targets(np.where(codes == -1, -np.inf, values), np.where(codes == 1, np.inf, values))


def check_codes(censored: Any, *, n_rows: int) -> NDArray[np.int8]:
    """Return 1 for lower bounds, -1 for upper bounds and 0 for responses; None means all were observed."""
    if censored is None:
        return np.zeros(n_rows, dtype=np.int8)
    try:
        mask = np.asarray(censored)
    except ValueError as error:  # rows of several lengths
        raise ValueError(f"{_FLAGS}: {error}") from error
    if mask.shape != (n_rows,):
        raise ValueError(f"censored has shape {mask.shape}, but X has {n_rows} rows")
    if mask.dtype.kind == "O":
        refuse(~are_flags(mask), mask, _FLAGS, name="censored")
    elif mask.dtype.kind not in "biu":
        raise ValueError(f"{_FLAGS}, got dtype {mask.dtype}: {mask[0]!r} first")
    codes = mask.astype(np.int64)
    refuse((codes < -1) | (codes > 1), mask, _FLAGS, name="censored")
    return codes.astype(np.int8)


def _pair(y: Any, *, n_rows: int) -> tuple[Any, Any] | None:
    """Return lower and upper ends, from a pair of arrays or the two columns of an array."""
    if isinstance(y, tuple) and len(y) == 2 and all(np.shape(part) == (n_rows,) for part in y):
        return y
    try:
        columns = np.asarray(y)
    except ValueError:  # rows of several lengths, which later checks complain about
        return None
    return (columns[:, 0], columns[:, 1]) if columns.ndim == 2 and columns.shape[1] == 2 else None


def _check_ends(lower: Any, upper: Any, *, n_rows: int) -> Targets:
    lower, upper = as_floats(lower, name="y"), as_floats(upper, name="y")
    if lower.size != n_rows:
        raise ValueError(f"y has {lower.size} values, but X has {n_rows} rows")
    for ends in (lower, upper):
        refuse(np.isnan(ends), ends, "y contains NaN", name="y")
    refuse(lower > upper, lower, "y has a lower end above its upper end", name="y")
    refuse(np.isposinf(lower) | np.isneginf(upper), lower, "y has an interval without any number", name="y")
    return Targets(lower, upper)


def _split_structured(y: NDArray[Any]) -> tuple[NDArray[Any], Mask]:
    fields = y.dtype.names or ()
    kinds = "".join(y.dtype[name].kind for name in fields)
    if len(fields) != 2 or kinds[0] != "b" or kinds[1] not in "iuf":
        raise ValueError(f"y must have the two fields event (bool) and time (number), got {y.dtype}")
    return y[fields[1]], ~y[fields[0]]


def _check_values(targets: Targets, *, log: bool, ceiling: float | None) -> Targets:
    """Raise an error for what the model cannot use; return the rows with observed zeros as upper bounds."""
    lower, upper = targets.lower, targets.upper
    complaint = f"y must lie between -{_LARGEST_RESPONSE:.3g} and {_LARGEST_RESPONSE:.3g}"
    for ends in (lower, upper):
        refuse((np.abs(ends) > _LARGEST_RESPONSE) & np.isfinite(ends), ends, complaint, name="y")
    if ceiling is not None:
        known = np.where(np.isfinite(lower), lower, upper)
        refuse(known > ceiling, known, f"ceiling={ceiling!r} is below a value of y", name="y")
    if not log:
        return targets
    refuse((lower < 0) & np.isfinite(lower), lower, "y must be positive or 0 when log=True", name="y")
    refuse(upper < 0, upper, "y must be positive or 0 when log=True", name="y")
    # An observed 0 is below the resolution: all that is known is that it is no larger than the smallest.
    upper = np.where(upper == 0, _smallest(targets), upper)
    return Targets(np.maximum(lower, 0.0), upper)
