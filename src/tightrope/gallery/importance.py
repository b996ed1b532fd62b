"""importance(): which parameters matter, as a table."""

from collections.abc import Mapping
from math import nan
from typing import Any, Literal

from tightrope.gallery.source import Source, scenario_of, tuning_from
from tightrope.report.sections import model
from tightrope.report.sections.importance import effects_of
from tightrope.scenario.scenario import Scenario
from tightrope.store.frame import pandas
from tightrope.store.history import History

_MOST_RUNS = 10_000


def importance(
    source: Source,
    *,
    scenario: Scenario | None = None,
    space: Any = None,
    scale: Literal["log", "cost"] = "log",
    at_most: Mapping[str, Any] | Literal["default"] | None = None,
    pairs: int = 12,
    trees: int = 100,
    n_jobs: int | None = None,
) -> Any:
    """Return how much of the variation of costs each parameter explains (functional ANOVA).

    A `CensoredForest` is fitted to the runs, with cut runs as lower bounds. For each tree, the mean
    prediction over the instances is a function of the config; its variance over all configs is divided among
    the parameters and their interactions. This is exact for the trees.

    Parameters
    ----------
    source : result, History, str or Path
        What `tune` or `minimize` returned, a history, or the path of a run folder.
    scenario : Scenario, optional
        What was tuned, if the source is a history.
    space : Space, ConfigSpace.ConfigurationSpace or mapping, optional
        The parameters, if the source is a history and the scenario is not at hand. Without either, their
        ranges are taken from the runs.
    scale : {"log", "cost"}, default="log"
        What varies: the mean logarithm of the cost over the instances, which counts factors, or the mean
        cost, to which the most expensive configs and instances contribute most.
    at_most : "default" or config, optional
        On each instance, no cost counts as more than the prediction for this config. What makes bad configs
        worse than it is then ignored, and the parameters remain that make configs better than it.
    pairs : int, default=12
        Interactions are computed among this many parameters, those with the largest shares.
    trees : int, default=100
        Number of trees.
    n_jobs : int, optional
        Threads, as joblib counts them. The result does not depend on it.

    Returns
    -------
    pandas.DataFrame
        One row for each parameter, by descending share, then one for each pair.

        parameter, partner
            Names; `partner` is empty for single parameters.
        share
            Mean over the trees of the share of the variance over all configs. For a pair, what both explain
            beyond their own shares.
        spread
            Standard deviation of this share over the trees.
        local, local_spread
            The same for configs that differ from the best one in this parameter only: the variance along the
            parameter, as a share of the sum of these variances. Missing for pairs.

    Raises
    ------
    ValueError
        If there are fewer than 60 runs that say something, or none that finished.

    Notes
    -----
    Configs are drawn uniformly on the scale of each parameter. A parameter that is inactive has no effect, so
    one that is rarely active has a small share, and a switch gets the credit for what it switches. Forbidden
    combinations are not left out. Shares of single parameters and pairs do not add up to 1: the rest are
    interactions of more parameters, to which the trees' noise contributes. Of more than 10,000 runs, 10,000
    are drawn at random, always the same ones.

    Examples
    --------
    >>> from tightrope import Scenario, importance, tune
    >>> from tightrope.run import Virtual
    >>> def seconds(config, instance, seed):
    ...     return (1.0 + 30.0 * (config["x"] - 0.3) ** 2 + 0.1 * config["y"]) * len(instance)
    >>> scenario = Scenario(
    ...     space={"x": (0.0, 1.0), "y": (0.0, 1.0)}, instances=["a", "bb"], ceiling=100.0, budget=3000.0
    ... )
    >>> table = importance(tune(scenario, executor=Virtual(seconds)))
    >>> table["parameter"][0], bool(table["share"][0] > 0.8)
    ('x', True)
    """
    _check(scale, pairs, at_most)
    frame = pandas(needed_by="importance").DataFrame
    if space is not None:
        if scenario is not None or not isinstance(source, History):
            raise ValueError("space is only needed for a History without a scenario")
        scenario = scenario_of(source, space)
    tuning = tuning_from(source, scenario=scenario)
    fitted = model.fit(tuning, n_trees=trees, most_runs=_MOST_RUNS, is_checked=False, n_jobs=n_jobs)
    if fitted is None:
        raise ValueError("importance needs at least 60 runs with positive costs, of which some finished")
    limit = tuning.progress.default if at_most == "default" else at_most
    found = effects_of(tuning, fitted, scale=scale, at_most=limit, n_in_pairs=pairs)
    return frame(
        {
            "parameter": [effect.names[0] for effect in found],
            "partner": [effect.names[1] if len(effect.names) == 2 else "" for effect in found],
            "share": [effect.share for effect in found],
            "spread": [effect.spread for effect in found],
            "local": [effect.local if len(effect.names) == 1 else nan for effect in found],
            "local_spread": [effect.local_spread for effect in found],
        }
    )


def _check(scale: str, pairs: int, at_most: object) -> None:
    if scale not in ("log", "cost"):
        raise ValueError(f"scale must be 'log' or 'cost', not {scale!r}")
    if pairs < 0:
        raise ValueError(f"pairs must be at least 0, not {pairs}")
    if isinstance(at_most, str) and at_most != "default":
        raise ValueError(f"at_most must be 'default' or a config, not {at_most!r}")
