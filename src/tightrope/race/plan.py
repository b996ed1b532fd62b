"""Plan: all settings that a race follows."""

from dataclasses import dataclass
from math import inf

from tightrope.budget import Budget
from tightrope.race.candidates import CandidateSource
from tightrope.race.duel import Rules
from tightrope.race.earlier import EarlierRuns
from tightrope.race.tactics import Tactics
from tightrope.race.training import InstanceColumns
from tightrope.records import Config
from tightrope.search.model import MarginalModel
from tightrope.space import Space


@dataclass(frozen=True, slots=True)
class Plan:
    """All settings that a race follows; `rules` and the plan share one `Tactics`."""

    space: Space
    instances: tuple[str, ...]
    rules: Rules
    budget: Budget
    candidates: CandidateSource
    view: InstanceColumns
    default: Config
    model: MarginalModel | None = None  # without one, challengers are drawn at random
    seeds: tuple[int, ...] | None = (0,)
    cost_limit: float = inf  # the budget in units of cost, as far as it is known
    initial: tuple[Config, ...] = ()  # the first challengers
    earlier: EarlierRuns | None = None  # runs of earlier tunings, for the model
    first_must_work: bool = False  # a failure of the very first run is an error

    @property
    def tactics(self) -> Tactics:
        """The finer settings."""
        return self.rules.tactics

    @property
    def seed(self) -> int:
        """The seed of all random choices."""
        return self.rules.seed
