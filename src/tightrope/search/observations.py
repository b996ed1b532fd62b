"""From a tally to the training data of a model: one row for each cost or largest bound."""

from collections.abc import Callable, Sequence
from math import inf

import numpy as np

from tightrope.records import Config
from tightrope.search.model import Floats, Observations
from tightrope.search.tally import Knowledge, Tally
from tightrope.space import Space

Encode = Callable[[Sequence[Config]], Floats]


def observe(tally: Tally, space: Space, *, encode: Encode, ceiling: float = inf) -> Observations:
    """Return costs, largest bounds, and failures as bounds at the ceiling.

    Without a ceiling a failure counts as a bound at the largest cost or bound so far. A running config counts
    as a bound at the best cost, so that the next proposal lies elsewhere.
    """
    failed = ceiling if ceiling < inf else max((_largest(known) for _, known in tally.known()), default=0.0)
    configs: list[Config] = []
    y: list[float] = []
    censored: list[bool] = []
    for config, known in tally.known():
        bound = failed if known.failed else known.bound
        # A failure before any cost or bound has no value to be given, and is left out.
        costs = known.costs or ([bound] if bound > 0 else [])
        configs += [config] * len(costs)
        y += costs
        censored += [not known.costs] * len(costs)
    if tally.best < inf:
        for config in tally.pending():
            configs.append(config)
            y.append(max(tally.best, tally.bound(config)))
            censored.append(True)
    rows = encode(configs) if configs else np.empty((0, space.n_columns))
    return Observations(space.for_model(rows), np.array(y), np.array(censored, dtype=bool), space.categorical)


def _largest(known: Knowledge) -> float:
    return max([*known.costs, known.bound])
