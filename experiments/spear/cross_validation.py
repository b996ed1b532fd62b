"""Cross-validation of the surrogate: its predictions for configs that it was not fitted to.

Its residuals and its draws from the processes count as errors here. That is intended: a surrogate that
predicts the mean would have smaller errors but would be less like the solver.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from lib.cost_table import CostTable, Floats
from lib.surrogate.surrogate import Surrogate, fit_model
from scipy.stats import spearmanr

N_FOLDS = 4
_SHOWN = (0.001, 0.01, 0.03, 0.1, 0.5, 0.9)  # quantiles


def cross_validate(recorded: CostTable) -> str:
    """Fit to a part of the recorded configs and predict the others, in turn; return how the costs compare."""
    fold = np.random.default_rng(0).permutation(len(recorded.configs)) % N_FOLDS
    predicted = np.empty_like(recorded.costs)
    for each in range(N_FOLDS):
        known = np.flatnonzero(fold != each)
        part = replace(
            recorded,
            configs=tuple(recorded.configs[i] for i in known),
            costs=recorded.costs[known],
        )
        surrogate = Surrogate(part, fit_model(part))
        for i in np.flatnonzero(fold == each):
            predicted[i] = surrogate.costs(recorded.configs[i])
    return "\n".join(_compare(recorded, predicted))


def _compare(recorded: CostTable, predicted: Floats) -> Sequence[str]:
    true, ceiling = recorded.costs, recorded.ceiling
    finished = np.isfinite(true)
    error = np.log10(true[finished]) - np.log10(predicted[finished])
    mean_true, mean_predicted = (np.minimum(costs, ceiling).mean(axis=1) for costs in (true, predicted))
    rank = spearmanr(mean_true, mean_predicted).statistic
    lines = [
        f"root mean square error of log10 cost, without timeouts: {np.sqrt(np.mean(error**2)):.3f}",
        f"rank correlation of mean costs: {rank:.3f}",
        f"timeouts: {np.mean(predicted >= ceiling):.1%}, recorded {np.mean(~finished):.1%}",
    ]
    for q, one, other in zip(
        _SHOWN, np.quantile(mean_predicted, _SHOWN), np.quantile(mean_true, _SHOWN), strict=True
    ):
        lines.append(f"mean cost of the {q:.1%} quantile of configs: {one:.4g}, recorded {other:.4g}")
    return lines
