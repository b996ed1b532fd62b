"""Scores of predictions of times of which some are censored."""

import numpy as np
from scipy.stats import norm

from survival.models import Predicted
from survival.sets import Floats, SurvivalSet

_TIMES = 50
_LEVEL = 0.9


def score(predicted: Predicted, *, train: SurvivalSet, test: SurvivalSet) -> dict[str, float]:
    """Return concordance, Brier score between the deciles of time, log likelihood and coverage."""
    from sksurv.metrics import concordance_index_censored, integrated_brier_score

    last = 0.999 * min(train.time.max(), test.time.max())
    times = np.linspace(np.quantile(test.time, 0.1), min(np.quantile(test.time, 0.9), last), _TIMES)
    in_range = np.minimum(test.time, train.time.max())
    kind = [("event", bool), ("time", float)]
    known = np.array(list(zip(train.event, train.time, strict=True)), dtype=kind)
    held = np.array(list(zip(test.event, in_range, strict=True)), dtype=kind)
    return {
        "concordance": float(concordance_index_censored(test.event, test.time, predicted.risk)[0]),
        "brier": float(integrated_brier_score(known, held, predicted.survival(times), times)),
        **_lognormal_scores(predicted, test),
    }


def _lognormal_scores(predicted: Predicted, test: SurvivalSet) -> dict[str, float]:
    if predicted.mean is None or predicted.std is None:
        return {"log_likelihood": float("nan"), "coverage": float("nan")}
    z = (np.log(test.time) - predicted.mean) / predicted.std
    density = norm.logpdf(z) - np.log(predicted.std) - np.log(test.time)
    return {
        "log_likelihood": float(np.where(test.event, density, norm.logsf(z)).mean()),
        "coverage": _coverage(norm.cdf(z), test),
    }


def _coverage(levels: Floats, test: SurvivalSet) -> float:
    """Estimate the share of responses in central intervals: Kaplan-Meier's estimate on the levels.

    The level of a response is the probability that was given to smaller ones. Levels are uniform if beliefs
    are calibrated, and those of bounds are censored.
    """
    order = np.lexsort((~test.event, levels))
    levels, event = levels[order], test.event[order]
    at_risk = np.arange(levels.size, 0, -1)
    above = np.cumprod(np.where(event, 1.0 - 1.0 / at_risk, 1.0))
    last_known = levels[event].max(initial=0.0)
    ends = [(1 - _LEVEL) / 2, (1 + _LEVEL) / 2]
    # Beyond the last event nothing is known: the levels are taken as uniform there.
    survival = []
    for end in ends:
        at = np.searchsorted(levels, min(end, last_known), side="right") - 1
        beyond = 1.0 if at < 0 else float(above[at])
        share = (1.0 - end) / (1.0 - last_known) if end > last_known else 1.0
        survival.append(beyond * share)
    return survival[0] - survival[1]
