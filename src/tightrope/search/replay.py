"""Summaries of finished runs: a tally, and the belief of a model fitted to all of them."""

from collections.abc import Iterable, Sequence

from tightrope.records import Run
from tightrope.search.model import Belief
from tightrope.search.observations import observe
from tightrope.search.options import Options
from tightrope.search.tally import Tally


def tally_of(runs: Iterable[Run]) -> Tally:
    """Return the tally of finished runs."""
    tally = Tally()
    for run in runs:
        tally.start(run.trial)
        tally.finish(run)
    return tally


def best_costs(runs: Iterable[Run]) -> tuple[list[float], list[float]]:
    """Return the cumulative cost after each run, and the best cost by then (inf before the first)."""
    tally, total = Tally(), 0.0
    spent, best = [], []
    for run in runs:
        tally.start(run.trial)
        tally.finish(run)
        total += run.outcome.spent
        spent.append(total)
        best.append(tally.best)
    return spent, best


def believe(options: Options, runs: Sequence[Run]) -> Belief:
    """Fit the model to all runs."""
    space = options.space
    observations = observe(tally_of(runs), space, encode=space.encode, ceiling=options.ceiling)
    return options.model.fit(observations, seed=options.seed)
