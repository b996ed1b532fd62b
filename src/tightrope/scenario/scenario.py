"""Scenario: what is to be tuned, on what, and for how long."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from math import inf, isnan
from typing import Any

import numpy as np
from ConfigSpace import ConfigurationSpace
from numpy.typing import NDArray

from tightrope.budget import Budget
from tightrope.errors import Fault, ScenarioError, SpaceError
from tightrope.race.tactics import Tactics
from tightrope.records import Config
from tightrope.space import Space

Floats = NDArray[np.float64]

_USUAL = Tactics()
_MODELS = ("forest", "random")
_TREATMENTS = ("sample", "mean", "drop", "ignore")


@dataclass(frozen=True)
class Scenario:
    """What is to be tuned, on what, and for how long.

    Parameters
    ----------
    space : Space, ConfigSpace.ConfigurationSpace or mapping from str
        What may be chosen; see `Space.of` for the short form.
    ceiling : float
        The largest cost that any run may reach before it is stopped.
    budget : Budget or float
        What the whole tuning may spend: cumulative cost (a plain number), time, or runs.
    target : Target, str, callable or None, default=None
        What is run: a `CommandTarget` or the command line for one, a `FunctionTarget` or the function for
        one. None if the executor simulates.
    instances : sequence of str, default=("",)
        What configs are compared on; a single one for plain optimisation.
    test : sequence of str, default=()
        Instances that the tuning never sees, for a fair comparison afterwards.
    features : mapping from str to numbers, or None, default=None
        Properties of the instances that the model may learn from, equally many for each. Without them it
        learns each instance by itself.
    slack : float, default=1.3
        A challenger may cost this many times what the incumbent did on the same tasks before it is stopped;
        inf stops nothing below the ceiling.
    par : float, default=1
        A run that reaches the ceiling, or fails, counts as par times the ceiling.
    deterministic : bool, default=True
        Whether a config costs the same whenever it is run on an instance; if not, each instance is run with
        seed after seed.
    seeds : sequence of int or None, default=None
        The only seeds that instances are run with. None: just 0 if deterministic, else 0, 1, 2, ...
    default : mapping from str or None, default=None
        The config to begin with, and to be compared with; None: the space's default.
    candidates : sequence of mappings or None, default=None
        The only configs that may be tried, besides the default.
    resolution : float, default=0.01
        Differences in cost smaller than this cannot be measured: no run gets such a small cap.
    model : {"forest", "random"}, default="forest"
        How challengers are found: by a forest that learns from all runs, or at random.
    treatment : {"sample", "mean", "drop", "ignore"}, default="sample"
        What the forest makes of runs that were stopped; see `CensoredForest`.
    tactics : Tactics, default=Tactics()
        Finer settings.

    Examples
    --------
    >>> scenario = Scenario(space={"x": (0.0, 1.0)}, instances=["a", "b"], ceiling=60.0, budget=3600.0)
    >>> scenario.budget
    Budget(cost=3600.0, evaluations=inf, wall=inf, runs=inf)
    """

    _: KW_ONLY
    space: Space | ConfigurationSpace | Mapping[str, Any]
    ceiling: float
    budget: Budget | float
    target: Any = None
    instances: Sequence[str] = ("",)
    test: Sequence[str] = ()
    features: Mapping[str, Sequence[float]] | None = None
    slack: float = 1.3
    par: float = 1.0
    deterministic: bool = True
    seeds: Sequence[int] | None = None
    default: Mapping[str, Any] | None = None
    candidates: Sequence[Mapping[str, Any]] | None = None
    resolution: float = 0.01
    model: str = "forest"
    treatment: str = "sample"
    tactics: Tactics = _USUAL

    def __post_init__(self) -> None:
        if isinstance(self.instances, str):
            raise _error("instances", self.instances, "a sequence of names", hint="put it into a list")
        object.__setattr__(self, "space", Space.of(self.space))
        object.__setattr__(self, "budget", _budget(self.budget))
        object.__setattr__(self, "instances", tuple(self.instances))
        object.__setattr__(self, "test", tuple(self.test))
        if self.seeds is not None:
            object.__setattr__(self, "seeds", tuple(int(seed) for seed in self.seeds))
        for check in _CHECKS:
            check(self)

    @property
    def task_seeds(self) -> tuple[int, ...] | None:
        """The seeds of tasks; None if there is no end of them."""
        if self.seeds is not None:
            return tuple(self.seeds)
        return (0,) if self.deterministic else None

    @property
    def default_config(self) -> Config:
        """The config that a tuning starts with, and is compared with."""
        if self.default is not None:
            return Config(self.default)
        space = Space.of(self.space)
        return space.decode(space.default())

    @property
    def feature_table(self) -> Floats | None:
        """The features as an array, one row for each instance."""
        if self.features is None:
            return None
        return np.array([self.features[name] for name in self.instances], dtype=np.float64)


def _budget(budget: Budget | float) -> Budget:
    try:
        return Budget.of(budget)
    except ValueError as error:
        raise ScenarioError(Fault(str(error), key="budget")) from error


def _check_numbers(scenario: Scenario) -> None:
    if not 0 < scenario.ceiling < inf:
        raise _error(
            "ceiling", scenario.ceiling, "a positive number", hint="no run can be left without a limit"
        )
    if isnan(scenario.slack) or scenario.slack < 1:
        raise _error("slack", scenario.slack, "at least 1, or inf to stop nothing below the ceiling")
    if not 1 <= scenario.par < inf:
        raise _error("par", scenario.par, "at least 1", hint="1 and 10 are usual")
    if not 0 < scenario.resolution < scenario.ceiling:
        hint = f"the ceiling is {scenario.ceiling:g}: raise it, or set a smaller resolution"
        raise _error("resolution", scenario.resolution, "positive and below the ceiling", hint=hint)


def _check_names(scenario: Scenario) -> None:
    for key, known in (("model", _MODELS), ("treatment", _TREATMENTS)):
        if getattr(scenario, key) not in known:
            raise _error(key, getattr(scenario, key), f"one of {', '.join(known)}")


def _check_budget(scenario: Scenario) -> None:
    if isinstance(scenario.budget, Budget) and scenario.budget.evaluations < inf:
        raise _error(
            "budget", scenario.budget, "a limit of cost, wall or runs", hint="evaluations are for minimize"
        )


def _check_instances(scenario: Scenario) -> None:
    names = scenario.instances
    if not names:
        raise _error("instances", names, "at least one", hint="leave it out for plain optimisation")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise _error("instances", twice, "each name once")
    if scenario.seeds is not None and (not scenario.seeds or len(set(scenario.seeds)) < len(scenario.seeds)):
        raise _error("seeds", scenario.seeds, "at least one, each once")
    if scenario.features is None:
        return
    missing = [name for name in names if name not in scenario.features]
    if missing:
        raise _error(
            "features", missing[0], "features for every instance", hint="add them, or leave out features"
        )
    lengths = {len(scenario.features[name]) for name in names}
    if len(lengths) > 1:
        raise _error("features", sorted(lengths), "equally many for each instance")
    table = scenario.feature_table
    if table is not None and np.isinf(table).any():
        raise _error("features", "inf", "finite numbers; a missing one may be nan")


def _check_configs(scenario: Scenario) -> None:
    space = Space.of(scenario.space)
    if scenario.candidates is not None and not scenario.candidates:
        raise _error("candidates", scenario.candidates, "at least one config")
    if scenario.default is not None:
        _check_config(scenario.default, space, key="default")
    for number, candidate in enumerate(scenario.candidates or ()):
        _check_config(candidate, space, key="candidates", about=f"candidate {number}: ")


def _check_config(config: Mapping[str, Any], space: Space, *, key: str, about: str = "") -> None:
    try:
        space.encode(Config(config))
    except SpaceError as error:
        raise ScenarioError(Fault(f"{about}{error}", key=key)) from error


_CHECKS: tuple[Callable[[Scenario], None], ...] = (
    _check_numbers,
    _check_names,
    _check_budget,
    _check_instances,
    _check_configs,
)


def _error(key: str, found: object, expected: str, *, hint: str = "") -> ScenarioError:
    return ScenarioError(Fault(f"{key} must be {expected}, not {found!r}", hint, key=key))
