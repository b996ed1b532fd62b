"""Fit one forest to capped runs and score its beliefs about log10 cost, also if the forest models cost.

==================  =========================================================================================
field of a score    meaning
==================  =========================================================================================
rmse                root mean squared error at the test runs with known cost
log_likelihood      mean log density of these runs under the belief
rmse_all            at all test runs; a recorded timeout counts as an error only if predicted too low
log_likelihood_all  at all test runs; a recorded timeout contributes the log of the belief's mass above it
rmse_stopped        at the training runs with known cost that were stopped by a cap
n_iter              rounds of imputation
cpu_s               CPU time of fitting, in seconds
==================  =========================================================================================
"""

from dataclasses import dataclass
from time import process_time
from typing import Any

import numpy as np

from lib.treatments.capping import Capped
from lib.treatments.problem import Floats, Problem, Runs
from lib.treatments.scoring import errors, log_likelihoods, log_likelihoods_of_log10, root_mean_square
from tightrope import CensoredForest
from tightrope.forest import ALGORITHM_1

TREATMENTS = ("sample", "mean", "drop", "ignore")
FLOOR_DECADES = 0.1  # smallest standard deviation of a belief about log10 cost
_SMALLEST_STD = 1e-6  # of beliefs without a floor: the likelihood needs some spread
_DECADE = float(np.log(10.0))


@dataclass(frozen=True, slots=True)
class Score:
    """Scores of a forest's beliefs; the module's table explains the fields."""

    rmse: float
    log_likelihood: float
    rmse_all: float
    log_likelihood_all: float
    rmse_stopped: float
    n_iter: int
    cpu_s: float


def floor_variance(decades: float) -> float:
    """Return the variance floor of a model of natural logarithms, from a standard deviation in decades."""
    return (decades * _DECADE) ** 2


def fit_and_score(problem: Problem, capped: Capped, *, seed: int, settings: dict[str, Any]) -> Score:
    """Fit and score a CensoredForest with these settings; others have their defaults."""
    defaults = {**ALGORITHM_1, "log": True, "min_variance": floor_variance(FLOOR_DECADES)}
    forest = CensoredForest(**(defaults | settings), ceiling=problem.ceiling, random_state=seed)
    started_s = process_time()
    forest.fit(problem.train.X, capped.y, capped.censored, categorical=list(problem.categorical))
    cpu_s = process_time() - started_s
    known = problem.test.known
    error, likelihood = _score_runs(forest, problem.test)
    stopped = capped.censored & problem.train.known
    return Score(
        rmse=root_mean_square(error[known]),
        log_likelihood=float(likelihood[known].mean()),
        rmse_all=root_mean_square(error),
        log_likelihood_all=float(likelihood.mean()),
        rmse_stopped=root_mean_square(_score_runs(forest, problem.train)[0][stopped]),
        n_iter=forest.n_iter_,
        cpu_s=cpu_s,
    )


def _score_runs(forest: CensoredForest, runs: Runs) -> tuple[Floats, Floats]:
    """Return error and log likelihood of each run, on log10 cost."""
    mean, std = forest.belief(runs.X)
    std = np.maximum(std, _SMALLEST_STD)
    truth = np.log10(runs.cost)
    if forest.log:
        mean, std = mean / _DECADE, std / _DECADE
        return errors(truth, mean, known=runs.known), log_likelihoods(truth, mean, std=std, known=runs.known)
    likelihood = log_likelihoods_of_log10(runs.cost, mean, std=std, known=runs.known)
    return errors(truth, np.log10(mean), known=runs.known), likelihood
