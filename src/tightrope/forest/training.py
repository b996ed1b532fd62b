"""The training set of a forest: rows, columns and responses, checked and encoded."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope.forest.checks import check_parameters
from tightrope.forest.columns import Columns, check_entries, code_columns, find_categorical, read_numbers
from tightrope.forest.responses import Responses
from tightrope.forest.targets import read_responses

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TrainingSet:
    """The rows of positive weight; `rows` are their indices in the user's X, which has `n_given` of them."""

    X: Floats
    columns: Columns
    responses: Responses
    rows: NDArray[np.intp]
    n_given: int

    @property
    def censored_rows(self) -> NDArray[np.intp]:
        """Indices of the censored rows in the user's X."""
        return self.rows[self.responses.censored]


def read_training_set(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    censored: Any,
    categorical: Any,
    sample_weight: Any,
    baseline: Any,
    parameters: Mapping[str, Any],
) -> TrainingSet:
    """Check the parameters and the arguments of `fit`; the estimator remembers the columns of X."""
    check_parameters(parameters)
    codes = code_columns(X)
    numbers = read_numbers(estimator, X, codes=codes, reset=True)
    is_categorical = find_categorical(categorical, X, codes=codes, n_columns=numbers.shape[1])
    check_entries(numbers, is_categorical)
    responses = read_responses(
        y, censored, sample_weight, baseline, n_rows=len(numbers), parameters=parameters
    )
    present, n_given = responses.present, len(numbers)
    if not present.all():
        numbers, responses = numbers[present], responses.rows(present)
    columns = Columns(categorical=is_categorical, codes=codes)
    return TrainingSet(numbers, columns, responses, np.flatnonzero(present), n_given)
