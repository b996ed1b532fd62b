"""The four treatments of censored responses; Algorithm 1 of the paper is "sample".

========  ==========================================================================================
sample    impute quantiles of the truncated belief, one for each copy of a point; regrow; repeat
mean      impute the mean of the truncated belief (Schmee and Hahn's algorithm); regrow; repeat
ignore    take the bounds as values
drop      leave the censored points out
========  ==========================================================================================

All values are on the model's scale (logarithms for a log model), except for costs. Shapes are named as in
`bootstrap`: B trees, n points, m censored points.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tightrope import truncated
from tightrope.forest import _kernel
from tightrope.forest.bootstrap import Copies, Counts, Floats, assign_quantiles, draw_counts, sample_excesses
from tightrope.forest.growth import Grower, Growth
from tightrope.forest.likelihood import fit_normal
from tightrope.forest.moments import Moments, moments, out_of_bag
from tightrope.forest.ordering import Noise, draw_noise
from tightrope.forest.responses import Responses

_LARGEST_LOG_COST = 690.0  # its exp is finite, and so is the sum of many of them


@dataclass(frozen=True, slots=True)
class Rules:
    """How censored responses are treated."""

    treatment: str = "sample"
    positions: str = "paper"
    joint: bool = True
    ceiling_rule: str = "shift"
    max_iter: int = 10
    tol: float = 0.01
    oob: bool = False
    min_variance: float = 0.0
    noise: bool = False
    start: str = "uncensored"


@dataclass(frozen=True, slots=True)
class Imputed:
    """A forest, and the values that were imputed for the censored points to grow it."""

    forest: _kernel.Forest
    counts: Counts  # (B, n): copies of each point in each tree's sample
    means: Floats  # (m,)
    samples: Floats  # (B, m): mean over a tree's copies of a point, NaN where it has none
    n_iter: int = 1
    converged: bool = True


def grow_forest(
    X: Floats,
    responses: Responses,
    *,
    categorical: NDArray[np.bool_],
    rules: Rules,
    growth: Growth,
    rng: np.random.Generator,
) -> Imputed:
    """Grow a forest; none, some or all responses may be censored."""
    n_dropped = 0
    # If all are censored, only the bounds are left to learn from: "drop" then ignores the censoring.
    if rules.treatment == "drop" and not responses.censored.all():
        n_dropped = int(np.count_nonzero(responses.censored))
        X, responses = X[~responses.censored], responses.rows(~responses.censored)
    for_counts, for_order, for_trees = rng.spawn(3)
    n_draws = responses.y.size if growth.n_draws is None else growth.n_draws
    counts = draw_counts(
        growth.n_trees, responses.y.size, n_draws=n_draws, bootstrap=growth.bootstrap, rng=for_counts
    )
    grower = Grower(_kernel.Table(X, categorical), responses, counts, growth, for_trees)
    if n_dropped > 0:
        nothing = np.full((growth.n_trees, n_dropped), np.nan)
        return Imputed(grower.grow(), counts, means=nothing[0], samples=nothing)
    censored_counts = counts[:, responses.censored]
    if rules.treatment in ("drop", "ignore") or censored_counts.size == 0:
        bounds = responses.y[responses.censored]
        return Imputed(
            grower.grow(), counts, means=bounds, samples=np.where(censored_counts > 0, bounds, np.nan)
        )
    order = None if rules.joint else for_order
    copies = assign_quantiles(censored_counts, positions=rules.positions, order=order)
    noise = draw_noise(copies, n_trees=growth.n_trees, rng=for_order) if rules.noise and rules.joint else None
    return _impute_and_grow(grower, X[responses.censored], copies=copies, rules=rules, noise=noise)


def _impute_and_grow(
    grower: Grower, X: Floats, *, copies: Copies, rules: Rules, noise: Noise | None
) -> Imputed:
    """Impute and regrow until the imputed means converge; X are the censored rows."""
    responses, n_trees = grower.responses, grower.growth.n_trees
    known = Known.of(responses)
    held = grower.counts[:, responses.censored] > 0
    tolerated = rules.tol * float(np.ptp(responses.y))
    means = known.stand_ins
    belief = _first_belief(grower, X, held=held, rules=rules)
    iteration = 0
    while True:
        iteration += 1
        before = means
        ordered = copies if noise is None else noise.order(copies, belief)
        s = belief.std(rules.min_variance)
        means, values = impute(
            ordered, known.lower, upper=known.upper, mu=belief.mean, s=s, ceiling=known.ceilings, rules=rules
        )
        change = np.abs(means - before)[copies.n_copies > 0]
        converged = change.size == 0 or float(change.mean()) <= tolerated
        last = converged or iteration == rules.max_iter
        costs = _costs(copies, values, responses, n_trees=n_trees) if last else None
        targets = copies.mean_by_cell(values, otherwise=known.stand_ins, n_trees=n_trees)
        forest = grower.grow_imputed(targets, costs=costs)
        if last:
            samples = np.where(held, targets, np.nan)
            return Imputed(forest, grower.counts, means, samples, n_iter=iteration, converged=converged)
        belief = _believe(forest, X, held=held, rules=rules, threads=grower.growth.threads)
        del forest  # saves memory: the next forest is about to be grown


@dataclass(frozen=True, slots=True)
class Known:
    """What is known about the censored rows; `upper` only if some of them are bounded from above."""

    lower: Floats
    upper: Floats | None
    stand_ins: Floats
    ceilings: Floats

    @classmethod
    def of(cls, responses: Responses) -> "Known":
        """Select the censored rows."""
        mask = responses.censored
        lower, upper = (ends[mask] for ends in responses.interval)
        one_sided = responses.ends is None
        return cls(lower, None if one_sided else upper, responses.y[mask], responses.ceilings[mask])


def _first_belief(grower: Grower, X: Floats, *, held: NDArray[np.bool_], rules: Rules) -> Moments:
    """Believe a forest of the uncensored rows, or the normal distribution that fits all responses best."""
    nothing_known = not np.isfinite(grower.responses.interval[1]).any()  # any large mean would fit
    if rules.start == "uncensored" or nothing_known:
        forest = grower.grow_uncensored()
        return _believe(forest, X, held=held, rules=rules, threads=grower.growth.threads)
    responses, n_rows = grower.responses, len(X)
    mean, std = fit_normal(*responses.interval, weights=responses.weights)
    return Moments(np.full(n_rows, mean), spread=np.zeros(n_rows), noise=np.full(n_rows, std * std))


def _believe(
    forest: _kernel.Forest, X: Floats, *, held: NDArray[np.bool_], rules: Rules, threads: int
) -> Moments:
    """Return the moments over all trees or, with `oob`, over those without a copy of the row."""
    if rules.oob:
        return out_of_bag(forest, X, held=held, threads=threads, noise=rules.noise)
    return moments(forest, X, threads=threads, noise=rules.noise)


def impute(
    copies: Copies,
    bounds: Floats,
    *,
    mu: Floats,
    s: Floats,
    ceiling: Floats,
    rules: Rules,
    upper: Floats | None = None,
) -> tuple[Floats, Floats]:
    """Impute from the belief: the mean of each censored point, shape (m,), and the value of each copy, (C,).

    The mean of a point that no tree holds is the mean of the truncated belief. Responses lie above the bounds
    and, if `upper` is given, below it.
    """
    if upper is not None:
        return _impute_between(copies, bounds, upper, mu=mu, s=s, ceiling=ceiling, rules=rules)
    room = ceiling - bounds
    if rules.treatment == "mean":
        means = bounds + np.minimum(truncated.mean_excess(bounds, mu=mu, s=s), room)
        return means, means[copies.owner]
    excesses = sample_excesses(copies, bounds, mu=mu, s=s, room=room, ceiling_rule=rules.ceiling_rule)
    means = copies.mean_by_point(excesses)
    absent = copies.n_copies == 0
    if absent.any():
        means = np.where(absent, np.minimum(truncated.mean_excess(bounds, mu=mu, s=s), room), means)
    return bounds + means, bounds[copies.owner] + excesses


def _impute_between(
    copies: Copies, lower: Floats, upper: Floats, *, mu: Floats, s: Floats, ceiling: Floats, rules: Rules
) -> tuple[Floats, Floats]:
    """Impute responses that lie in intervals, of which either end may be infinite."""
    middle = truncated.mean_between(lower, upper, mu=mu, s=s)
    if rules.treatment == "mean":
        means = np.minimum(middle, ceiling)
        return means, means[copies.owner]
    values = truncated.quantile_between(copies.positions, lower, upper, mu=mu, s=s, owner=copies.owner)
    means = np.where(copies.n_copies == 0, middle, copies.mean_by_point(values))
    over = np.maximum(means - ceiling, 0.0)
    if rules.ceiling_rule == "shift":
        return means - over, values - over[copies.owner]
    start = np.where(np.isfinite(lower), lower, means - over)  # what has no bound is shrunk to the ceiling
    factors = np.divide(ceiling - start, means - start, out=np.ones_like(means), where=over > 0)
    shrunk = start[copies.owner] + (values - start[copies.owner]) * factors[copies.owner]
    shrunk = np.where((over > 0)[copies.owner], shrunk, values)
    return means - over, shrunk


def _costs(copies: Copies, values: Floats, responses: Responses, *, n_trees: int) -> Floats | None:
    """Return the mean cost of each cell; None unless the model is a log model.

    A copy at or beyond the ceiling costs par x ceiling. So do all copies of a point whose bound is the
    ceiling, even if they were shifted below it: the point is known to reach the ceiling.
    """
    if responses.costs is None:
        return None
    ceilings = responses.ceilings[responses.censored]
    is_timeout = responses.y[responses.censored] >= ceilings
    is_beyond = (values >= ceilings[copies.owner]) | is_timeout[copies.owner]
    costs = np.exp(np.minimum(values, np.minimum(ceilings, _LARGEST_LOG_COST)[copies.owner]))
    if is_beyond.any():
        costs[is_beyond] = responses.par * np.exp(ceilings[copies.owner[is_beyond]])
    return copies.mean_by_cell(costs, otherwise=responses.costs[responses.censored], n_trees=n_trees)
