"""Board: the scores of an ablation, and contests between two configs.

=========  ==========================================================================================
symbol     meaning
=========  ==========================================================================================
noise      standard deviation of log(cost / best config's cost) between tasks, pooled over configs
limit      ratio of the sums on all tasks up to which a contest is won
margin     limit x exp(z x standard error): the ratio on some tasks above which the contest is lost
=========  ==========================================================================================
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, inf, sqrt

from tightrope.compare.contrast import Contrast, contrast
from tightrope.race.objective import Objective, Score, better_known
from tightrope.race.terms import Terms, estimate_noise
from tightrope.records import Config, Task

_NOTHING: Mapping[Task, Score] = {}
_ROUNDING = 1e-9  # equal sums in another order


@dataclass(frozen=True, slots=True)
class Need:
    """A run that is needed next."""

    config: Config
    task: Task
    cap: float


class Board:
    """Scores by config and task, on a fixed list of tasks.

    Parameters
    ----------
    tasks : sequence of Task
        What configs are compared on.
    objective : Objective
        How costs count.
    best : Config
        The config whose costs the noise is relative to.
    resolution : float
        The smallest difference in cost that can be measured.
    """

    def __init__(
        self, tasks: Sequence[Task], objective: Objective, *, best: Config, resolution: float
    ) -> None:
        self.tasks = tuple(tasks)
        self.objective = objective
        self.best = best
        self.resolution = resolution
        self._terms = Terms(objective, objective.ceiling, noise=1.0, n_tasks=len(self.tasks))
        self._scores: dict[Config, dict[Task, Score]] = {}

    def add(self, config: Config, task: Task, score: Score) -> None:
        """Add a score."""
        known = self._scores.setdefault(config, {})
        known[task] = better_known(known.get(task), score)

    def scores(self, config: Config) -> Mapping[Task, Score]:
        """Return what is known of a config."""
        return self._scores.get(config, _NOTHING)

    def is_settled(self, config: Config, task: Task) -> bool:
        """Whether the cost is known, or as large as it can get."""
        score = self.scores(config).get(task)
        return score is not None and self.objective.is_settled(score)

    def is_measured(self, config: Config) -> bool:
        """Whether a config is settled on all tasks."""
        return all(self.is_settled(config, task) for task in self.tasks)

    def charges(self, config: Config) -> dict[Task, float]:
        """Return the objective cost on each task that was run; a bound counts as itself."""
        return {task: self.objective.charge(score) for task, score in self.scores(config).items()}

    def total(self, config: Config) -> float:
        """Return the summed objective cost of a config that is measured."""
        return sum(self.charges(config).values())

    def to_measure(self, config: Config) -> Iterator[Need]:
        """Yield the runs that settle a config on all tasks."""
        for task in self.tasks:
            if not self.is_settled(config, task):
                yield Need(config, task, self.objective.ceiling)

    def contrast(self, one: Config, other: Config) -> Contrast:
        """Return the ratio of the mean costs, that of the other over that of the first."""
        return contrast(self.scores(one), self.scores(other), self.objective, is_same=one == other)

    def estimate_noise(self) -> None:
        """Estimate the noise from all configs that were run, for the contests that follow."""
        number = {task: place for place, task in enumerate(self.tasks)}
        to_beat = {number[task]: cost for task, cost in self.charges(self.best).items()}
        others = (
            {number[task]: score.cost for task, score in known.items() if score.exact and score.cost < inf}
            for config, known in self._scores.items()
            if config != self.best
        )
        self._terms = replace(self._terms, noise=estimate_noise(to_beat, others))

    def margin(self, costs: Sequence[float], *, limit: float, z: float) -> float:
        """Return the largest ratio, on tasks of these costs, that may yet end at the limit."""
        return limit * exp(z * sqrt(max(0.0, self._terms.variance(costs))))


@dataclass(frozen=True, slots=True)
class Contest:
    """A config against a measured one: won if its sum over all tasks is at most `limit` times the other's.

    It is lost as soon as the ratio on the tasks that were run is above the margin, which allows for `z`
    standard errors.
    """

    config: Config
    against: Config
    limit: float
    z: float

    def is_lost(self, board: Board) -> bool:
        """Whether the config is too expensive on the tasks that it has run."""
        ours, theirs = board.charges(self.config), board.charges(self.against)
        if not ours:
            return False
        left = self._most(board, [theirs[task] for task in ours]) - sum(ours.values())
        return left < 0.0 if board.is_measured(self.config) else left <= board.resolution

    def is_over(self, board: Board) -> bool:
        """Whether it is lost, or the config is measured."""
        return self.is_lost(board) or board.is_measured(self.config)

    def needs(self, board: Board) -> Iterator[Need]:
        """Yield the runs that it still needs, each with the cap that the runs so far leave."""
        ours, theirs = board.charges(self.config), board.charges(self.against)
        spent = sum(ours.values())
        for task in board.tasks:
            if not board.is_settled(self.config, task):
                known = ours.get(task, 0.0)
                most = self._most(board, [theirs[each] for each in {**ours, task: known}])
                cap = max(most - spent + known, known + board.resolution)
                yield Need(self.config, task, min(cap, board.objective.ceiling))

    def _most(self, board: Board, costs: list[float]) -> float:
        """Return the sum at which the contest is lost, on tasks on which the other one has these costs."""
        most = self.limit * board.total(self.against)
        if len(costs) < len(board.tasks):
            most = min(most, board.margin(costs, limit=self.limit, z=self.z) * sum(costs))
        return most * (1.0 + _ROUNDING)
