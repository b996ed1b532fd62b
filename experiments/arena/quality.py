"""How much the surrogate is like the solver: what it says of configs that it was not fitted to.

Its residuals and its draw from the processes are errors here, as they must be: a surrogate that predicted the
mean would have smaller errors and be less like the solver.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.stats import spearmanr

from arena.recorded import Floats, Recorded
from arena.surrogate import Surrogate, fit_model

N_FOLDS = 4
_SHOWN = (0.001, 0.01, 0.03, 0.1, 0.5, 0.9)  # quantiles


def cross_validate(recorded: Recorded) -> str:
    """Fit to some recorded configs and predict the others, in turns; say how the costs compare."""
    fold = np.random.default_rng(0).permutation(len(recorded.configs)) % N_FOLDS
    told = np.empty_like(recorded.costs)
    for each in range(N_FOLDS):
        known = np.flatnonzero(fold != each)
        part = replace(
            recorded,
            configs=tuple(recorded.configs[i] for i in known),
            costs=recorded.costs[known],
        )
        surrogate = Surrogate(part, fit_model(part))
        for i in np.flatnonzero(fold == each):
            told[i] = surrogate.costs(recorded.configs[i])
    return "\n".join(_compare(recorded, told))


def _compare(recorded: Recorded, told: Floats) -> Sequence[str]:
    true, ceiling = recorded.costs, recorded.ceiling
    finished = np.isfinite(true)
    error = np.log10(true[finished]) - np.log10(told[finished])
    mean_true, mean_told = (np.minimum(costs, ceiling).mean(axis=1) for costs in (true, told))
    rank = spearmanr(mean_true, mean_told).statistic
    lines = [
        f"error of log10 cost where it is known: {np.sqrt(np.mean(error**2)):.3f} (root mean square)",
        f"rank correlation of mean costs: {rank:.3f}",
        f"timeouts: {np.mean(told >= ceiling):.1%}, recorded {np.mean(~finished):.1%}",
    ]
    for q, one, other in zip(
        _SHOWN, np.quantile(mean_told, _SHOWN), np.quantile(mean_true, _SHOWN), strict=True
    ):
        lines.append(f"mean cost of the {q:.1%} quantile of configs: {one:.4g}, recorded {other:.4g}")
    return lines
