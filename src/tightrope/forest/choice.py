"""Settings chosen by the likelihood of rows out of bag: leaf size, share of columns, floor of the variance.

A forest is grown for each candidate from (at most some thousand of) the rows. Every row is then judged by the
trees that hold no copy of it: log density where it was observed, log probability of its interval elsewhere.
Among candidates that are not clearly worse than the best one (by less than the standard error of the
difference) the smoothest is chosen: out-of-bag likelihoods favour small leaves a little, because imputed
values of a row's neighbours were imputed with the row itself in some trees.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tightrope.forest.growth import Growth
from tightrope.forest.imputation import Imputed, Rules, grow_forest
from tightrope.forest.likelihood import best_floor, log_likelihoods
from tightrope.forest.moments import Moments, out_of_bag
from tightrope.forest.responses import Floats, Responses

LEAVES = (1, 3, 5, 10, 20, 40)
SHARES = (5 / 6, 1 / 3)  # of the columns, from the least to the most smoothing
_SMALLEST_SHARE_OF_ROWS = 4  # a leaf holds at most a quarter of the rows
_STANDARD_ERRORS = 1.0  # candidates that are worse by less than this count as good
_TREES = 50
_ROWS = 2000


@dataclass(frozen=True, slots=True)
class Open:
    """Which settings are open: to be chosen."""

    leaf: bool = False
    columns: bool = False
    floor: bool = False


@dataclass(frozen=True, slots=True)
class Training:
    """What forests are grown from."""

    X: Floats
    responses: Responses
    categorical: NDArray[np.bool_]


def grow_chosen(
    training: Training, *, rules: Rules, growth: Growth, open_settings: Open, rng: np.random.Generator
) -> tuple[Imputed, Rules, Growth]:
    """Choose what is open, and grow the forest; return it with the rules and the growth that it was given."""
    n_rows = training.responses.y.size
    if growth.bootstrap and (open_settings.leaf or open_settings.columns) and n_rows > 1:
        some = _subset(training, np.random.default_rng(0))
        trial = _Trial(some, rules, replace(growth, n_trees=min(growth.n_trees, _TREES)), open_settings.floor)
        growth, rules = _choose(trial, growth, open_settings)
    forest = grow_forest(
        training.X, training.responses, categorical=training.categorical, rules=rules, growth=growth, rng=rng
    )
    if open_settings.floor and growth.bootstrap:
        rules = replace(rules, min_variance=_floor_of(training, forest, rules=rules, growth=growth))
    return forest, rules, growth


@dataclass(frozen=True, slots=True)
class _Trial:
    """Grows candidates, all with the same random draws, and scores each row out of bag."""

    training: Training
    rules: Rules
    growth: Growth
    floor: bool

    def score(self, growth: Growth) -> tuple[Floats, float]:
        """Return the log likelihood of each row, and the floor of the variance that it was taken with."""
        forest = grow_forest(
            self.training.X,
            self.training.responses,
            categorical=self.training.categorical,
            rules=self.rules,
            growth=growth,
            rng=np.random.default_rng(0),
        )
        floor = self.rules.min_variance
        if self.floor:
            floor = _floor_of(self.training, forest, rules=self.rules, growth=growth)
        known, seen = _judge(self.training, forest, rules=self.rules, growth=growth)
        least = np.finfo(np.float64).tiny ** 0.25
        scores = log_likelihoods(*known, mean=seen.mean, s=np.maximum(seen.std(floor), least))
        return scores, floor


def _choose(trial: _Trial, growth: Growth, open_settings: Open) -> tuple[Growth, Rules]:
    tried = trial.growth
    floor = trial.rules.min_variance
    if open_settings.leaf:
        largest = max(1, trial.training.responses.y.size // _SMALLEST_SHARE_OF_ROWS)
        leaves = [leaf for leaf in LEAVES if leaf <= largest]
        results = [trial.score(replace(tried, min_samples_leaf=leaf)) for leaf in leaves]
        chosen = smoothest([scores for scores, _ in results])
        tried, floor = replace(tried, min_samples_leaf=leaves[chosen]), results[chosen][1]
    if open_settings.columns:
        n_columns = trial.training.X.shape[1]
        numbers = sorted({max(1, int(np.ceil(share * n_columns - 1e-9))) for share in SHARES}, reverse=True)
        results = [trial.score(replace(tried, drawn_columns=number)) for number in numbers]
        chosen = smoothest([scores for scores, _ in results])
        tried, floor = replace(tried, drawn_columns=numbers[chosen]), results[chosen][1]
    rules = replace(trial.rules, min_variance=floor)
    return replace(growth, min_samples_leaf=tried.min_samples_leaf, drawn_columns=tried.drawn_columns), rules


def smoothest(scores: Sequence[Floats]) -> int:
    """Return the last candidate whose rows' scores are within a standard error of the best one's."""
    best = max(range(len(scores)), key=lambda k: float(scores[k].mean()))
    for k in range(len(scores) - 1, best, -1):
        lost = scores[best] - scores[k]
        if float(lost.mean()) <= _STANDARD_ERRORS * float(lost.std()) / np.sqrt(lost.size):
            return k
    return best


def _judge(
    training: Training, forest: Imputed, *, rules: Rules, growth: Growth
) -> tuple[tuple[Floats, Floats], Moments]:
    """Return what is known about the rows, and the moments out of bag."""
    X, responses = training.X, training.responses
    if forest.counts.shape[1] != responses.y.size:  # censored rows were dropped
        X, responses = X[~responses.censored], responses.rows(~responses.censored)
    if rules.treatment != "sample" and rules.treatment != "mean":  # what is left counts as observed
        responses = replace(responses, censored=np.zeros_like(responses.censored), ends=None)
    held = forest.counts > 0
    seen = out_of_bag(forest.forest, X, held=held, threads=growth.threads, noise=rules.noise)
    return responses.interval, seen


def _floor_of(training: Training, forest: Imputed, *, rules: Rules, growth: Growth) -> float:
    known, seen = _judge(training, forest, rules=rules, growth=growth)
    return best_floor(*known, mean=seen.mean, variance=seen.spread + seen.noise)


def _subset(training: Training, rng: np.random.Generator) -> Training:
    n_rows = training.responses.y.size
    if n_rows <= _ROWS:
        return training
    rows = np.sort(rng.permutation(n_rows)[:_ROWS])
    return Training(training.X[rows], training.responses.rows(rows), training.categorical)
