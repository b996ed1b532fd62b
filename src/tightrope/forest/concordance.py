"""Harrell's concordance: how well predictions order responses, some of which are only bounds."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]


def concordance(
    y: Floats, prediction: Floats, *, censored: NDArray[np.bool_], weights: Floats | None = None
) -> float:
    """Compute the share of comparable pairs that the predictions put into the right order.

    Two rows are comparable if it is certain which response is larger: the smaller one is not censored, and
    the other is larger, or equal and censored. The pair is in order if the row with the larger response has
    the larger prediction (predictions are responses, not risks). Equal predictions count one half. With
    weights a pair counts as the product of its rows' weights. 1 is perfect, 0.5 is chance.
    """
    weights = np.ones(y.size) if weights is None else weights
    order = np.lexsort((censored, y))
    y, censored, weights = y[order], censored[order], weights[order]
    _, ranks = np.unique(prediction[order], return_inverse=True)
    # In this order an uncensored row is comparable with exactly the rows after its equals.
    new = np.append(True, (np.diff(y) > 0) | (censored[1:] != censored[:-1]))
    group = np.cumsum(new) - 1
    starts = np.append(np.flatnonzero(new), y.size)[group + 1]
    known = ~censored
    after = np.append(np.cumsum(weights[::-1])[::-1], 0.0)
    pairs = float(np.dot(weights[known], after[starts[known]]))
    if pairs <= 0.0:
        raise ValueError(
            "y has no two comparable rows: concordance needs an uncensored row below another row"
        )
    larger = _weight_of_larger(ranks, weights, starts=starts[known], than=ranks[known])
    return float(np.dot(weights[known], larger)) / pairs


def concordance_of_intervals(
    lower: Floats, upper: Floats, prediction: Floats, *, weights: Floats | None = None
) -> float:
    """Compute the same for responses in intervals: a pair is comparable if one interval ends below the other.

    Each row is compared with all others, O(n^2) time and O(n) memory.
    """
    weights = np.ones(lower.size) if weights is None else weights
    pairs = right = 0.0
    for end, of_row, weight in zip(upper, prediction, weights, strict=True):
        above = weight * weights * (lower > end)
        pairs += float(above.sum())
        right += float(above @ ((prediction > of_row) + 0.5 * (prediction == of_row)))
    if pairs <= 0.0:
        raise ValueError("y has no two comparable rows: no interval ends below another one")
    return right / pairs


def _weight_of_larger(ranks: Indices, weights: Floats, *, starts: Indices, than: Indices) -> Floats:
    """Sum, for each start, the weights of later rows with a larger rank than `than`; equal ranks count half.

    The rows from a start on are a union of aligned blocks of 1, 2, 4, ... rows, at most one of each width.
    Ranks sorted within all blocks of a width answer all queries for that width at once. O(n log^2 n).
    """
    total = np.zeros(starts.size)
    rows = np.arange(ranks.size)
    n_ranks = int(ranks.max()) + 1
    width = 1
    while width <= ranks.size:
        queries = np.flatnonzero((starts & width) != 0)
        keys = rows // width * n_ranks + ranks
        order = np.argsort(keys)
        keys = keys[order]
        below = np.append(0.0, np.cumsum(weights[order]))
        base = starts[queries] // width * n_ranks
        block_end = below[np.searchsorted(keys, base + n_ranks)]
        equal_from = below[np.searchsorted(keys, base + than[queries], side="left")]
        equal_to = below[np.searchsorted(keys, base + than[queries], side="right")]
        total[queries] += block_end - (equal_from + equal_to) / 2.0
        starts = starts + (starts & width)
        width *= 2
    return total
