"""Plan: all that an engine goes by."""

from dataclasses import dataclass

from tightrope.budget import Budget
from tightrope.race.candidates import Supply
from tightrope.race.duel import Rules
from tightrope.race.model import Instances, Lessons, Taste
from tightrope.records import Config
from tightrope.space import Space


@dataclass(frozen=True, slots=True)
class Plan:
    """How an engine decides."""

    space: Space
    instances: tuple[str, ...]
    rules: Rules
    budget: Budget
    supply: Supply
    taste: Taste
    view: Instances  # what the model sees of the instances
    default: Config
    seeds: tuple[int, ...] | None = (0,)
    earlier: Lessons | None = None  # from other tunings, for the model only
    uses_model: bool = True
    relative: bool = True  # the model learns costs as multiples of what the instance usually costs
    first_tasks: int = 8  # of the default, before the first challenger,
    opening: float = 2.0  # unless that costs more than so many ceilings
    defence: float = 0.03  # tasks that the incumbent gains for each challenger
    n_design: int = 10  # challengers before the model is asked
    random_share: float = 0.25  # of the challengers
    n_rivals: int = 2  # at most, whenever challengers are selected
    growth: float = 0.1  # of the evidence, from one selection to the next
    fewest_runs: int = 4  # from one selection to the next
    seed: int = 0
