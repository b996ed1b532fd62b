"""Contenders and matches: the results of validated configs, and their comparisons."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import nan
from statistics import fmean, median

from tightrope.compare.contrast import Contrast, Estimate, contrast, estimate
from tightrope.race.objective import Objective, Score, score_of
from tightrope.records import Config, Run, Status, Task

Scores = dict[Task, Score]


@dataclass(frozen=True, slots=True)
class Contender:
    """A config and its results.

    Attributes
    ----------
    name : str
        Its name.
    config : Config
        Its values.
    cost : Estimate
        Mean cost with an interval; timeouts and failures count as ceiling x par.
    median : float
        Lower bound of the median cost; nan without runs.
    n_solved, n_timeouts, n_failures : int
        Number of runs by outcome.
    """

    name: str
    config: Config
    cost: Estimate
    median: float
    n_solved: int
    n_timeouts: int
    n_failures: int


@dataclass(frozen=True, slots=True)
class Match:
    """Comparison of a contender with the first one.

    Attributes
    ----------
    name, against : str
        Names of the two configs.
    contrast : Contrast
        Ratio of mean costs with an interval, or a bound.
    n_instances : int
        Number of instances compared.
    n_unsolved : int
        Number of instances that neither solved; they are left out where possible.
    n_better, n_worse : int
        Number of instances on which it certainly costs less, or more.
    """

    name: str
    against: str
    contrast: Contrast
    n_instances: int
    n_unsolved: int
    n_better: int
    n_worse: int


def scores_by_config(runs: Iterable[Run]) -> dict[Config, Scores]:
    """Return the score of each config on each task: the mean of several runs, or a bound of it."""
    found: defaultdict[Config, defaultdict[Task, list[Score]]] = defaultdict(lambda: defaultdict(list))
    for run in runs:
        if run.outcome.status is not Status.LOST:
            found[run.trial.config][run.trial.task].append(score_of(run.outcome))
    return {
        config: {task: _joined(scores) for task, scores in by_task.items()}
        for config, by_task in found.items()
    }


def _joined(scores: Sequence[Score]) -> Score:
    return Score(fmean(score.cost for score in scores), exact=all(score.exact for score in scores))


def contender(name: str, config: Config, runs: Iterable[Run], objective: Objective) -> Contender:
    """Return the results of a config."""
    own = [run for run in runs if run.trial.config == config and run.outcome.status is not Status.LOST]
    ends = Counter(run.outcome.status for run in own)
    costs = [min(score_of(run.outcome).cost, objective.ceiling) for run in own]
    return Contender(
        name,
        config,
        estimate(scores_by_config(own).get(config, {}), objective),
        median(costs) if costs else nan,
        ends[Status.DONE],
        ends[Status.CAPPED],
        ends[Status.FAILED],
    )


def match(
    one: tuple[str, Scores], other: tuple[str, Scores], objective: Objective, *, is_same: bool
) -> Match:
    """Compare a contender with the first one."""
    (name, mine), (against, theirs) = one, other
    tasks = [task for task in mine if task in theirs]
    solved = [
        task for task in tasks if _is_known(mine[task], objective) or _is_known(theirs[task], objective)
    ]
    unsolved = [task for task in tasks if task not in set(solved)]
    # Instances that neither solved say nothing about costs; a score counts them for both.
    counted = solved if all(_is_known(mine[task], objective) for task in solved) else tasks
    found = contrast({task: mine[task] for task in counted}, theirs, objective, is_same=is_same)
    gains = _gains({task: mine[task] for task in solved}, theirs, objective)
    return Match(
        name,
        against,
        found,
        n_instances=len({task.instance for task in counted}),
        n_unsolved=len({task.instance for task in unsolved}),
        n_better=sum(gain > 0 for gain in gains),
        n_worse=sum(gain < 0 for gain in gains),
    )


def _is_known(score: Score, objective: Objective) -> bool:
    return score.exact and score.cost < objective.ceiling


def _gains(mine: Mapping[Task, Score], theirs: Mapping[Task, Score], objective: Objective) -> list[float]:
    """Return the certain saving on each instance: positive, negative, or 0 if bounds leave it open."""
    by_instance: defaultdict[str, list[Task]] = defaultdict(list)
    for task in mine:
        by_instance[task.instance].append(task)
    return [
        _gain([mine[task] for task in tasks], [theirs[task] for task in tasks], objective)
        for tasks in by_instance.values()
    ]


def _gain(mine: Sequence[Score], theirs: Sequence[Score], objective: Objective) -> float:
    one, other = (sum(min(score.cost, objective.ceiling) for score in scores) for scores in (mine, theirs))
    gain = other - one
    loser = theirs if gain < 0 else mine
    return gain if all(_is_known(score, objective) for score in loser) else 0.0
