"""Fit one forest to capped runs and score its beliefs, on log10 of cost whatever the forest models.

==================  =========================================================================================
field of a score    meaning
==================  =========================================================================================
rmse                root of the mean squared error at the test runs whose cost is known
log_likelihood      mean log density of these runs under the belief
rmse_all            of all test runs; a recorded timeout counts as an error only if predicted too low
log_likelihood_all  of all test runs; a recorded timeout contributes the log of the belief's mass above it
rmse_stopped        of those train runs that were stopped by a cap and whose cost is known
n_iter              rounds of imputation
cpu_s               CPU time of fitting, in seconds
==================  =========================================================================================
"""

from dataclasses import dataclass
from time import process_time
from typing import Any

import numpy as np

from tightrope import CensoredForest
from treatments.capping import Capped
from treatments.problem import Floats, Problem, Runs
from treatments.scoring import errors, log_likelihoods, log_likelihoods_of_log10, root_mean_square

TREATMENTS = ("sample", "mean", "drop", "ignore")
FLOOR_DECADES = 0.1  # smallest standard deviation of a belief about log10 cost
_SMALLEST_STD = 1e-6  # of beliefs without a floor: a likelihood needs some spread
_DECADE = float(np.log(10.0))


@dataclass(frozen=True, slots=True)
class Score:
    """How good a forest's beliefs are; the module says what the fields mean."""

    rmse: float
    log_likelihood: float
    rmse_all: float
    log_likelihood_all: float
    rmse_stopped: float
    n_iter: int
    cpu_s: float


def floor_variance(decades: float) -> float:
    """Variance floor of a log model, which has natural logarithms, from a standard deviation in decades."""
    return (decades * _DECADE) ** 2


def fit_and_score(problem: Problem, capped: Capped, *, seed: int, settings: dict[str, Any]) -> Score:
    """Fit a forest with these settings of CensoredForest; those not given are its defaults."""
    defaults = {"log": True, "min_variance": floor_variance(FLOOR_DECADES)}
    forest = CensoredForest(**(defaults | settings), ceiling=problem.ceiling, random_state=seed)
    started_s = process_time()
    forest.fit(problem.train.X, capped.y, capped.censored, categorical=list(problem.categorical))
    cpu_s = process_time() - started_s
    known = problem.test.known
    error, likelihood = _judge(forest, problem.test)
    stopped = capped.censored & problem.train.known
    return Score(
        rmse=root_mean_square(error[known]),
        log_likelihood=float(likelihood[known].mean()),
        rmse_all=root_mean_square(error),
        log_likelihood_all=float(likelihood.mean()),
        rmse_stopped=root_mean_square(_judge(forest, problem.train)[0][stopped]),
        n_iter=forest.n_iter_,
        cpu_s=cpu_s,
    )


def _judge(forest: CensoredForest, runs: Runs) -> tuple[Floats, Floats]:
    """Error and log likelihood of each run, on log10 of cost."""
    mean, std = forest.belief(runs.X)
    std = np.maximum(std, _SMALLEST_STD)
    truth = np.log10(runs.cost)
    if forest.log:
        mean, std = mean / _DECADE, std / _DECADE
        return errors(truth, mean, known=runs.known), log_likelihoods(truth, mean, std=std, known=runs.known)
    likelihood = log_likelihoods_of_log10(runs.cost, mean, std=std, known=runs.known)
    return errors(truth, np.log10(mean), known=runs.known), likelihood
