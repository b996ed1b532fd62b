"""Tuning: what the report knows about one tuning."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope.api.validation import Validation
from tightrope.compare.match import scores_by_config
from tightrope.compare.progress import Progress
from tightrope.errors import Finding
from tightrope.figures.ablation import PathSummary
from tightrope.race.objective import Objective, Score
from tightrope.records import Config, Incumbent, Status, Task
from tightrope.scenario.scenario import Scenario
from tightrope.store.columns import CODES, Columns
from tightrope.store.history import History

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Wording:
    """How numbers and configs are written; the terminal uses the same functions.

    Attributes
    ----------
    cost, spent : callable
        Write a cost, and an amount of what runs spend, with their units.
    changes : callable
        Write what a config changes with respect to the default, in one line.
    cost_unit, spent_unit : str
        Units for axes: "s" for times, else "".
    """

    cost: Callable[[float], str]
    spent: Callable[[float], str]
    changes: Callable[[Mapping[str, Any]], str]
    cost_unit: str = ""
    spent_unit: str = ""

    def cost_axis(self, text: str) -> str:
        """Return the label of an axis of costs."""
        return f"{text} [{self.cost_unit}]" if self.cost_unit else text

    def spent_axis(self, text: str) -> str:
        """Return the label of an axis of what was spent."""
        return f"{text} [{self.spent_unit}]" if self.spent_unit else text


@dataclass(frozen=True)
class Tuning:
    """One tuning, read from its folder.

    Attributes
    ----------
    name : str
        Name of the run folder.
    scenario : Scenario
        What was tuned.
    progress : Progress
        The summary that the terminal shows as well.
    history : History
        All runs.
    number : array of int
        Number of each config in `history.columns.configs`.
    began_s : array of float
        When each run began, in seconds of the tuning's clock.
    trajectory : sequence of Incumbent
        The promotions.
    wall_s : float
        Time of the tuning so far.
    slots : int
        Runs at the same time.
    sentence : str
        The summary in words.
    command : str
        The command line with the best config; empty if the target is not a command.
    findings : sequence of Finding
        The caveats.
    validation : Validation or None
        Default and best on other instances, if there are runs of both.
    is_running : bool
        Whether a process is writing the journal.
    wording : Wording
        How numbers are written.
    ablation : PathSummary or None
        Which changes of the best config matter, if that was looked into.
    """

    name: str
    scenario: Scenario
    progress: Progress
    history: History
    number: Ints
    began_s: Floats
    trajectory: Sequence[Incumbent]
    wall_s: float
    slots: int
    sentence: str
    command: str
    findings: Sequence[Finding]
    validation: Validation | None
    is_running: bool
    wording: Wording
    ablation: PathSummary | None = None

    @property
    def columns(self) -> Columns:
        """The runs as arrays."""
        return self.history.columns

    @property
    def objective(self) -> Objective:
        """How costs count."""
        return Objective(self.scenario.ceiling, self.scenario.par)

    def has(self, status: Status) -> Bools:
        """Return which runs ended like this."""
        found: Bools = self.columns.status == CODES[status]
        return found

    @cached_property
    def spent(self) -> Floats:
        """What had been spent in all when each run ended."""
        return np.cumsum(self.columns.spent)

    @cached_property
    def bounded(self) -> Floats:
        """Cost of each run, at most the ceiling, which failures cost too; NaN for lost runs."""
        costs = np.minimum(self.columns.cost, self.scenario.ceiling)
        costs = np.where(self.has(Status.FAILED), self.scenario.ceiling, costs)
        return np.where(self.has(Status.LOST), np.nan, costs)

    @cached_property
    def runs_number(self) -> Ints:
        """Number of each run's config."""
        return self.number[self.columns.config]

    @cached_property
    def _places(self) -> dict[Config, int]:
        return {config: place for place, config in enumerate(self.columns.configs)}

    def index_of(self, config: Config) -> int:
        """Return the place of a config among those that were run; -1 if it was not."""
        return self._places.get(config, -1)

    def scores(self, config: Config) -> dict[Task, Score]:
        """Return what is known of a config on each of its tasks."""
        own = History.of(self.columns.take(self.columns.config == self.index_of(config)))
        return scores_by_config(own).get(config, {})

    def config_of(self, number: int) -> Config | None:
        """Return the config with this number."""
        (found,) = np.nonzero(self.number == number)
        return self.columns.configs[int(found[0])] if found.size else None
