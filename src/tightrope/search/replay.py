"""Runs gone through again: what was known after each of them, and what a model makes of them all."""

from collections.abc import Iterable, Sequence

from tightrope.records import Run
from tightrope.search.engine import Plan
from tightrope.search.model import Belief
from tightrope.search.observations import observe
from tightrope.search.tally import Tally


def tally_of(runs: Iterable[Run]) -> Tally:
    """Add up runs."""
    tally = Tally()
    for run in runs:
        tally.start(run.trial)
        tally.finish(run)
    return tally


def trajectory(runs: Iterable[Run]) -> tuple[list[float], list[float]]:
    """Return the cumulative cost after each run, and the best cost known then (inf before the first)."""
    tally, total = Tally(), 0.0
    spent, best = [], []
    for run in runs:
        tally.start(run.trial)
        tally.finish(run)
        total += run.outcome.spent
        spent.append(total)
        best.append(tally.best)
    return spent, best


def believe(plan: Plan, runs: Sequence[Run]) -> Belief:
    """Fit the plan's model to all runs."""
    observations = observe(tally_of(runs), plan.space, encode=plan.space.encode, ceiling=plan.ceiling)
    return plan.model.fit(observations, seed=plan.seed)
