"""Columns of X: which are categorical, and the names of their levels."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array
from sklearn.utils.validation import validate_data

Floats = NDArray[np.float64]

# Passed to scikit-learn's checks. NaN is allowed; `check_entries` refuses infinities and says where they are.
_ANY_NUMBERS: dict[str, Any] = {"dtype": np.float64, "order": "C", "ensure_all_finite": False}

# Kinds of dtype that become categorical automatically: category, object (unless of numbers), string, bool.
_NAMED_KINDS = "Ob"
_NUMBER_KINDS = "iuf"


Codes = Mapping[int, Mapping[Hashable, int]]
"""For each column with named levels, by its index: the whole number that stands for each level."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a fit: which are categorical, shape (n_columns,), and the codes of their levels."""

    categorical: NDArray[np.bool_]
    codes: Codes

    def part(self, first: int, n_columns: int) -> "Columns":
        """Return `n_columns` columns from index `first` on."""
        last = first + n_columns
        codes = {j - first: codes for j, codes in self.codes.items() if first <= j < last}
        return Columns(categorical=self.categorical[first:last], codes=codes)


def is_frame(X: Any) -> bool:
    """Recognise a pandas DataFrame by its attributes, so that pandas need not be imported."""
    return hasattr(X, "iloc") and hasattr(X, "dtypes") and hasattr(X, "columns")


def code_columns(X: Any) -> Codes:
    """Assign numbers to the levels of each column of X that holds levels instead of numbers."""
    if not is_frame(X):
        return {}
    named = (j for j, dtype in enumerate(X.dtypes) if dtype.kind in _NAMED_KINDS)
    columns = {j: X.iloc[:, j] for j in named}
    return {j: _code_levels(series) for j, series in columns.items() if not _holds_numbers(series)}


def find_categorical(categorical: Any, X: Any, *, codes: Codes, n_columns: int) -> NDArray[np.bool_]:
    """Mark the columns that the argument `categorical` names, and those that have codes."""
    names = [str(name) for name in X.columns] if is_frame(X) else []
    mask = np.zeros(n_columns, dtype=bool)
    mask[[*codes, *_column_numbers(categorical, names=names, n_columns=n_columns)]] = True
    return mask


def read_numbers(estimator: Any, X: Any, *, codes: Codes, reset: bool) -> Floats:
    """Convert X to numbers; the estimator stores its columns if `reset`, otherwise compares them."""
    if not is_frame(X):
        return np.asarray(validate_data(estimator, encode_columns(X, codes), reset=reset, **_ANY_NUMBERS))
    validate_data(estimator, X, reset=reset, skip_check_array=True)
    return np.asarray(check_array(encode_columns(X, codes), **_ANY_NUMBERS))


def encode_columns(X: Any, codes: Codes, *, argument: str = "X") -> Any:
    """Convert levels to numbers; a level that fit has not seen becomes a number that fit has not seen."""
    if not is_frame(X):
        if not codes:
            return _refuse_dates(X, argument)
        raise ValueError(
            f"{argument} must be a DataFrame, as in fit, because its columns {sorted(codes)} have named "
            f"levels; got {type(X).__name__}"
        )
    encoded = np.empty(X.shape, order="F")
    for j in range(X.shape[1]):
        series = X.iloc[:, j]
        encoded[:, j] = _encode_levels(series, codes[j]) if j in codes else _as_numbers(series)
    return np.ascontiguousarray(encoded)


def encode_parts(
    configs: Any, instances: Any, *, columns: Columns, names: NDArray[Any] | None
) -> tuple[Floats, Floats]:
    """Convert two tables to numbers: `configs` has the first columns of the fit, `instances` the rest."""
    widths = [np.shape(part)[1] if np.ndim(part) == 2 else 0 for part in (configs, instances)]
    if all(widths) and sum(widths) != columns.categorical.size:
        raise ValueError(
            f"configs has {widths[0]} columns and instances has {widths[1]}, but the forest was fitted on "
            f"{columns.categorical.size}"
        )
    front = _encode_part(configs, columns, first=0, names=names, argument="configs")
    back = _encode_part(instances, columns, first=widths[0], names=names, argument="instances")
    return front, back


def _encode_part(
    X: Any, columns: Columns, *, first: int, names: NDArray[Any] | None, argument: str
) -> Floats:
    part = columns.part(first, np.shape(X)[1] if np.ndim(X) == 2 else 0)
    if is_frame(X) and names is not None:
        expected = list(names[first : first + part.categorical.size])
        if list(X.columns) != expected:
            raise ValueError(
                f"{argument} has the columns {list(X.columns)}, but fit saw {expected} at this position"
            )
    numbers = check_array(
        encode_columns(X, part.codes, argument=argument), input_name=argument, **_ANY_NUMBERS
    )
    check_entries(numbers, part.categorical, argument=argument)
    return np.asarray(numbers)


def check_entries(X: Floats, categorical: NDArray[np.bool_], *, argument: str = "X") -> None:
    """Raise an error for infinities, and for fractions in categorical columns; NaN is allowed."""
    infinite = np.isinf(X)
    if infinite.any():
        i, j = np.argwhere(infinite)[0]
        raise ValueError(f"{argument} contains infinity: {argument}[{i}, {j}] is {X[i, j]}")
    columns = np.flatnonzero(categorical)
    levels = X[:, columns]
    fractions = (levels != np.floor(levels)) & ~np.isnan(levels)
    if fractions.any():
        i, k = np.argwhere(fractions)[0]
        j = columns[k]
        raise ValueError(f"{argument}[{i}, {j}] is {X[i, j]}: categorical columns must hold whole numbers")


def _column_numbers(categorical: Any, *, names: list[str], n_columns: int) -> list[int]:
    if categorical is None:
        return []
    if isinstance(categorical, str | int | np.integer):
        categorical = [categorical]
    try:
        chosen = list(categorical)
    except TypeError as error:
        raise ValueError(f"categorical must hold column numbers or names, got {categorical!r}") from error
    if chosen and all(isinstance(column, bool | np.bool_) for column in chosen):
        if len(chosen) != n_columns:
            raise ValueError(f"categorical is a mask of length {len(chosen)}, but X has {n_columns} columns")
        return [int(j) for j in np.flatnonzero(chosen)]
    return [_column_number(column, names=names, n_columns=n_columns) for column in chosen]


def _column_number(column: Any, *, names: list[str], n_columns: int) -> int:
    if isinstance(column, str):
        if column not in names:
            known = f"the columns of X are {names}" if names else "X has no column names"
            raise ValueError(f"categorical names the column {column!r}, but {known}")
        return names.index(column)
    if not isinstance(column, int | np.integer) or isinstance(column, bool):
        raise ValueError(f"categorical must hold column numbers or names, got {column!r}")
    if not -n_columns <= column < n_columns:
        raise ValueError(f"categorical names the column {column}, but X has {n_columns} columns")
    return int(column) % n_columns


def _code_levels(series: Any) -> dict[Hashable, int]:
    """Assign numbers to levels: those of a category dtype in its own order, others sorted as text."""
    if hasattr(series, "cat"):
        return {level: code for code, level in enumerate(series.cat.categories)}
    # Levels of several types cannot be compared. Any order will do that does not depend on the rows' order.
    levels = sorted(_factorise(series)[1], key=lambda level: (type(level).__name__, str(level)))
    return {level: code for code, level in enumerate(levels)}


def _encode_levels(series: Any, codes: Mapping[Hashable, int]) -> Floats:
    positions, levels = _factorise(series)
    unseen = len(codes)
    table = np.array([*(codes.get(level, unseen) for level in levels), np.nan], dtype=np.float64)
    return np.asarray(table[positions])


def _factorise(series: Any) -> tuple[NDArray[np.intp], Any]:
    """Return the position of each entry's level, -1 for missing ones, and the levels."""
    try:
        positions, levels = series.factorize()
    except TypeError as error:
        raise ValueError(
            f"column {series.name!r} of X holds a value that cannot be a level: {error}"
        ) from error
    return positions, levels


def _holds_numbers(series: Any) -> bool:
    """Whether a column of objects holds numbers, some of them missing, and not levels."""
    if series.dtype != object:
        return False
    known = series.dropna()
    return len(known) > 0 and all(isinstance(x, Real) and not isinstance(x, bool | np.bool_) for x in known)


def _refuse_dates(X: Any, argument: str) -> Any:
    dtype = getattr(X, "dtype", None)
    if getattr(dtype, "kind", None) in ("m", "M"):
        raise ValueError(f"{argument} has dtype {dtype}, but must hold numbers")
    return X


def _as_numbers(series: Any) -> Floats:
    if series.dtype.kind not in _NUMBER_KINDS and not (_holds_numbers(series) or series.isna().all()):
        raise ValueError(f"column {series.name!r} of X has dtype {series.dtype}, but must hold numbers")
    try:
        return np.asarray(series.to_numpy(dtype=np.float64, na_value=np.nan))
    except OverflowError as error:
        raise ValueError(f"column {series.name!r} of X holds a number that is too large: {error}") from error
