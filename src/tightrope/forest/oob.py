"""Predictions and scores out of bag: each row by the trees that hold no copy of it."""

import numpy as np

from tightrope.forest.imputation import Imputed
from tightrope.forest.moments import out_of_bag
from tightrope.forest.responses import Floats, Responses
from tightrope.forest.scale import Scale
from tightrope.forest.scoring import score_predictions
from tightrope.forest.targets import Targets


def score_out_of_bag(
    imputed: Imputed, X: Floats, responses: Responses, *, scale: Scale, threads: int
) -> tuple[Floats, float]:
    """Return the prediction of each row, on the scale of y, and the score of all."""
    counts = imputed.counts
    if counts.shape[1] != responses.y.size:  # censored rows were dropped: no tree holds them
        counts = np.zeros((len(counts), responses.y.size), dtype=counts.dtype)
        counts[:, ~responses.censored] = imputed.counts
    seen = out_of_bag(imputed.forest, X, held=counts > 0, threads=threads, noise=False)
    prediction = scale.to_response(seen.mean * scale.unit)
    lower, upper = (scale.to_response(ends * scale.unit) for ends in responses.interval)
    score = score_predictions(prediction, Targets(lower, upper), weights=responses.weights)
    return prediction, score
