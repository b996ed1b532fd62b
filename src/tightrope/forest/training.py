"""The training set of a forest: rows, columns and responses, checked and encoded."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope.forest.checks import check_parameters, read_responses
from tightrope.forest.columns import Columns, check_entries, code_columns, find_categorical, read_numbers
from tightrope.forest.responses import Responses

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TrainingSet:
    """The rows of positive weight; `censored_rows` are the indices of the censored ones in the user's X."""

    X: Floats
    columns: Columns
    responses: Responses
    censored_rows: NDArray[np.intp]


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
    present = responses.present
    censored_rows = np.flatnonzero(responses.censored & present)
    if not present.all():
        numbers, responses = numbers[present], responses.rows(present)
    columns = Columns(categorical=is_categorical, codes=codes)
    return TrainingSet(numbers, columns, responses, censored_rows)
