"""The survival data sets that come with scikit-survival and lifelines: X, time, event."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

NAMES = ("aids", "breast_cancer", "gbsg2", "veterans", "whas500", "lung", "rossi")
QUICK = ("veterans", "lung")
_STATUS = {"lung": ("time", "status"), "rossi": ("week", "arrest")}
_LOADERS = {
    "aids": "load_aids",
    "breast_cancer": "load_breast_cancer",
    "gbsg2": "load_gbsg2",
    "veterans": "load_veterans_lung_cancer",
    "whas500": "load_whas500",
}


@dataclass(frozen=True, slots=True)
class SurvivalSet:
    """Rows, categories as numbers; `categorical` marks their columns."""

    X: Floats
    time: Floats
    event: NDArray[np.bool_]
    categorical: NDArray[np.bool_]


def load(name: str) -> SurvivalSet:
    """Load a data set by its name."""
    frame, time, event = _from_lifelines(name) if name in _STATUS else _from_scikit_survival(name)
    categorical = np.array([dtype.kind not in "iuf" for dtype in frame.dtypes])
    columns = [_numbers(frame.iloc[:, j], is_categorical=flag) for j, flag in enumerate(categorical)]
    return SurvivalSet(np.column_stack(columns), time, event, categorical)


def _from_lifelines(name: str) -> tuple[Any, Floats, NDArray[np.bool_]]:
    import lifelines.datasets

    frame = getattr(lifelines.datasets, f"load_{name}")()
    time, status = _STATUS[name]
    event = frame[status].to_numpy() == 1
    return frame.drop(columns=[time, status]), frame[time].to_numpy(dtype=float), event


def _from_scikit_survival(name: str) -> tuple[Any, Floats, NDArray[np.bool_]]:
    import sksurv.datasets

    frame, y = getattr(sksurv.datasets, _LOADERS[name])()
    event, time = y.dtype.names
    return frame, y[time].astype(float), y[event].astype(bool)


def _numbers(column: Any, *, is_categorical: bool) -> Floats:
    if not is_categorical:
        return np.asarray(column, dtype=float)
    codes = column.astype("category").cat.codes.to_numpy().astype(float)
    return np.where(codes < 0, np.nan, codes)
