"""Comebacks: dropped configs that promise more than new ones, by the model and by their own runs.

A config that was dropped on one or two tasks is hardly known. The model knows more: it has seen similar
configs on other tasks. Its belief is the prior of the config's log cost over the incumbent's, and the
config's own runs are a measurement of it. New configs have the prior only, so both are compared alike.
"""

from collections.abc import Callable
from math import inf

import numpy as np
from numpy.typing import NDArray

from tightrope.race.contenders import compare
from tightrope.race.race import Race
from tightrope.race.terms import Prior, expected_gain
from tightrope.records import Config

Floats = NDArray[np.float64]
Belief = Callable[[Floats], tuple[Floats, Floats]]  # mean and deviation of log mean costs, by rows

_MOST = 8  # of a selection, which has at least 20 challengers
_MODEL_ERROR = 0.6  # standard deviation of a forest's log mean costs, besides the spread of its trees


def comebacks(race: Race, belief: Belief, *, new: Floats, most: int = _MOST) -> list[Config]:
    """Return dropped configs whose expected gain is larger than that of the best new one (a row), best first.

    A config that has run all tasks of the incumbent needs more tasks first, and so have those after it.
    """
    priors = _priors(race, belief, new)
    least = expected_gain(1.0, 1.0, inf, prior=priors.pop())
    found = []
    for number, prior in enumerate(priors):
        if race.is_wanted(number):
            continue
        standing = compare(number, race.evidence, race.to_beat, race.terms, prior=prior)
        if standing.gain > least:
            found.append(standing)
    chosen = []
    for standing in sorted(found, key=lambda standing: -standing.gain)[:most]:
        if standing.n_tasks == len(race.to_beat):
            break
        chosen.append(race.evidence.config(standing.number))
    return chosen


def _priors(race: Race, belief: Belief, new: Floats) -> list[Prior]:
    """Return what the model believes of every known config and, at the end, of the new one."""
    mean, deviation = belief(np.vstack([race.evidence.rows(), new]))
    relative, variance = mean - mean[race.incumbent], deviation**2 + _MODEL_ERROR**2
    return [Prior(*each) for each in zip(relative.tolist(), variance.tolist(), strict=True)]
