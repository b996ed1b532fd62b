"""Training data of the race's model: runs as arrays, and the columns that describe instances."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tightrope.race.evidence import Evidence
from tightrope.race.tasks import TaskOrder

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class InstanceColumns:
    """The model's columns for instances, which follow those of the configs."""

    columns: Floats  # (instances, m); m = 0 if there is one instance
    categorical: Bools  # (m,)

    @classmethod
    def of(cls, n: int, features: Floats | None, *, components: int = 7) -> "InstanceColumns":
        """Return the features; without features, the instance's number as a categorical column.

        More features than `components` are reduced to that many principal components; 0 keeps them all.
        """
        if features is None:
            m = int(n > 1)
            return cls(np.arange(n * m, dtype=float).reshape(n, m), np.ones(m, dtype=bool))
        varied = np.array([len(np.unique(column)) > 1 for column in features.T], dtype=bool)
        columns = np.ascontiguousarray(features[:, varied])
        if 0 < components < columns.shape[1]:
            columns = principal_components(columns, components)
        return cls(columns, np.zeros(columns.shape[1], dtype=bool))


def principal_components(columns: Floats, k: int) -> Floats:
    """Return the first k principal components of standardised columns; missing values count as the mean."""
    # Divide first: squares of large features would overflow.
    scaled = columns / np.nanmax(np.abs(columns), axis=0)
    centred = scaled - np.nanmean(scaled, axis=0)
    unit = np.nan_to_num(centred / np.nanstd(scaled, axis=0))
    left, sizes, right = np.linalg.svd(unit, full_matrices=False)
    largest = np.argmax(np.abs(right[:k]), axis=1)
    signs = np.sign(right[np.arange(len(largest)), largest])  # otherwise arbitrary
    return np.ascontiguousarray(left[:, :k] * (sizes[:k] * signs))


@dataclass(frozen=True, slots=True, eq=False)
class TrainingData:
    """Costs of configs on instances; a cost is a lower bound where `censored`."""

    rows: Floats  # (n, d)
    instance: Ints  # (n,)
    cost: Floats  # (n,); inf for a failure
    censored: Bools  # (n,)

    @classmethod
    def of(cls, evidence: Evidence, tasks: TaskOrder) -> "TrainingData":
        """Return one row for each pair of config and task that was run."""
        items = list(evidence.items())
        number = np.array([number for number, _, _ in items], dtype=np.int64)
        return cls(
            evidence.rows()[number],
            np.array([tasks.instance(task) for _, task, _ in items], dtype=np.int64),
            np.array([score.cost for _, _, score in items]),
            np.array([not score.exact for _, _, score in items], dtype=bool),
        )
