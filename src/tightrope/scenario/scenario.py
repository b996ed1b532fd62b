"""The `Scenario` class: what to tune, on which instances, with which budget."""

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

_DEFAULT_TACTICS = Tactics()
# Settings that a file gives as they are, and that a resumed journal must share.
PLAIN_SETTINGS = ("slack", "par", "deterministic", "resolution", "model", "treatment")
MODELS = ("forest", "random")
TREATMENTS = ("sample", "mean", "drop", "ignore")


@dataclass(frozen=True)
class Scenario:
    """What to tune, on which instances, and with which budget.

    Parameters
    ----------
    space : Space, ConfigSpace.ConfigurationSpace or mapping from str
        The parameters to tune; see `Space.of` for the short form.
    ceiling : float
        The largest cost a run may reach. A run that reaches it is stopped.
    budget : Budget or float
        Limit of the whole tuning: total cost of all runs (a plain number), time, or number of runs.
    target : Target, str, callable or None, default=None
        The program to tune: a `CommandTarget` or its command line, a `FunctionTarget` or its function. None
        if the executor simulates.
    instances : sequence of str, default=("",)
        The instances that configs are compared on. The default is a single one, for plain optimisation.
    test : sequence of str, default=()
        Instances that the tuning does not use, for an unbiased comparison afterwards.
    features : mapping from str to numbers, or None, default=None
        Instance features for the model, the same number for each instance. Without features the model learns
        each instance separately.
    slack : float, default=1.3
        A challenger is stopped once its cost exceeds slack times the incumbent's cost on the same tasks. With
        inf, only the ceiling stops runs.
    par : float, default=1
        A run that reaches the ceiling, or fails, counts as par times the ceiling.
    deterministic : bool, default=True
        Whether a config always has the same cost on an instance. If not, each instance is run with several
        seeds.
    seeds : sequence of int or None, default=None
        The seeds to use. None: only 0 if deterministic, else 0, 1, 2, ... without end.
    default : mapping from str or None, default=None
        The first incumbent, and the baseline of the final comparison. None: the space's default.
    candidates : sequence of mappings or None, default=None
        The configs to choose from, besides the default. None: every config of the space.
    initial : sequence of mappings, default=()
        Configs that may be good: the first challengers, in this order, before the initial design. Parameters
        that are left out take their defaults.
    resolution : float, default=0.01
        The smallest difference in cost that can be measured. No run gets a smaller cap.
    model : {"forest", "random"}, default="forest"
        How challengers are proposed: by a random forest fitted to all runs, or by random sampling.
    treatment : {"sample", "mean", "drop", "ignore"}, default="sample"
        How the forest treats censored runs; see `CensoredForest`.
    tactics : Tactics, default=Tactics()
        Settings of the race.

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
    initial: Sequence[Mapping[str, Any]] = ()
    resolution: float = 0.01
    model: str = "forest"
    treatment: str = "sample"
    tactics: Tactics = _DEFAULT_TACTICS

    def __post_init__(self) -> None:
        if isinstance(self.instances, str):
            raise _error("instances", self.instances, "a sequence of names", hint="put the name into a list")
        object.__setattr__(self, "space", Space.of(self.space))
        object.__setattr__(self, "budget", _budget(self.budget))
        object.__setattr__(self, "instances", tuple(self.instances))
        object.__setattr__(self, "test", tuple(self.test))
        if self.seeds is not None:
            object.__setattr__(self, "seeds", tuple(int(seed) for seed in self.seeds))
        object.__setattr__(self, "initial", _completed(self.initial, Space.of(self.space)))
        for check in _CHECKS:
            check(self)

    @property
    def task_seeds(self) -> tuple[int, ...] | None:
        """The seeds of tasks; None if they are unlimited."""
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
        """The features as an array, one row per instance."""
        if self.features is None:
            return None
        return np.array([self.features[name] for name in self.instances], dtype=np.float64)


def _budget(budget: Budget | float) -> Budget:
    try:
        return Budget.of(budget)
    except ValueError as error:
        raise ScenarioError(Fault(str(error), key="budget")) from error


def _completed(configs: Sequence[Mapping[str, Any]], space: Space) -> tuple[Config, ...]:
    """Return the initial configs with defaults for the parameters that were left out."""
    if isinstance(configs, Mapping):
        raise _error("initial", dict(configs), "a sequence of configs", hint="put the config into a list")
    completed = []
    for number, config in enumerate(configs):
        try:
            completed.append(space.complete(config))
        except SpaceError as error:
            raise ScenarioError(Fault(f"config {number}: {error}", key="initial")) from error
    return tuple(completed)


def _check_numbers(scenario: Scenario) -> None:
    if not 0 < scenario.ceiling < inf:
        raise _error("ceiling", scenario.ceiling, "a positive number", hint="every run needs a finite limit")
    if isnan(scenario.slack) or scenario.slack < 1:
        raise _error("slack", scenario.slack, "at least 1, or inf to stop runs at the ceiling only")
    if not 1 <= scenario.par < inf:
        raise _error("par", scenario.par, "at least 1", hint="common values are 1 and 10")
    if not 0 < scenario.resolution < scenario.ceiling:
        hint = f"the ceiling is {scenario.ceiling:g}: raise it, or set a smaller resolution"
        raise _error("resolution", scenario.resolution, "positive and below the ceiling", hint=hint)


def _check_names(scenario: Scenario) -> None:
    for key, known in (("model", MODELS), ("treatment", TREATMENTS)):
        if getattr(scenario, key) not in known:
            raise _error(key, getattr(scenario, key), f"one of {', '.join(known)}")


def _check_budget(scenario: Scenario) -> None:
    if isinstance(scenario.budget, Budget) and scenario.budget.evaluations < inf:
        raise _error(
            "budget", scenario.budget, "a limit on cost, wall or runs", hint="only minimize takes evaluations"
        )


def _check_instances(scenario: Scenario) -> None:
    names = scenario.instances
    if not names:
        raise _error("instances", names, "at least one", hint="omit it for plain optimisation")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise _error("instances", twice, "unique names")
    if scenario.seeds is not None and (not scenario.seeds or len(set(scenario.seeds)) < len(scenario.seeds)):
        raise _error("seeds", scenario.seeds, "at least one, without repeats")
    if scenario.features is None:
        return
    missing = [name for name in names if name not in scenario.features]
    if missing:
        raise _error(
            "features", missing[0], "features for every instance", hint="add them, or omit `features`"
        )
    lengths = {len(scenario.features[name]) for name in names}
    if len(lengths) > 1:
        raise _error("features", sorted(lengths), "the same number for each instance")
    table = scenario.feature_table
    if table is not None and np.isinf(table).any():
        raise _error("features", "inf", "finite numbers; use nan for missing ones")


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
