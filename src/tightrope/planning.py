"""From a scenario to what an engine goes by, and to what is run."""

from tightrope.budget import Budget
from tightrope.errors import TargetError
from tightrope.race.duel import Rules
from tightrope.race.favourites import Instances, Taste
from tightrope.race.objective import Objective
from tightrope.race.plan import Plan
from tightrope.race.supply import Effort, Listed, Supply, WholeSpace
from tightrope.records import Config
from tightrope.run import CommandTarget, ExecutorSpec, FunctionTarget, Target, Virtual
from tightrope.scenario.scenario import Scenario
from tightrope.space import Space


def plan_of(scenario: Scenario, seed: int) -> Plan:
    """Return how the scenario is to be tuned."""
    space = Space.of(scenario.space)
    options = dict(scenario.options or {})
    rules = Rules(
        Objective(scenario.ceiling, scenario.par),
        slack=scenario.slack,
        resolution=scenario.resolution,
        seed=seed,
        **options.pop("rules", {}),
    )
    taste = Taste(
        scenario.ceiling,
        par=scenario.par,
        resolution=scenario.resolution,
        treatment=scenario.treatment,
        **options.pop("taste", {}),
    )
    default = space.decode(space.default()) if scenario.default is None else Config(scenario.default)
    return Plan(
        space,
        tuple(scenario.instances),
        rules,
        Budget.of(scenario.budget),
        _supply_of(scenario, space),
        taste,
        Instances.of(len(scenario.instances), scenario.feature_table, options.pop("pca", None)),
        default,
        seeds=scenario.task_seeds,
        uses_model=scenario.model == "forest",
        seed=seed,
        **options,
    )


def _supply_of(scenario: Scenario, space: Space) -> Supply:
    if scenario.candidates is None:
        return WholeSpace(space, Effort())
    return Listed(space, [Config(candidate) for candidate in scenario.candidates])


def target_of(scenario: Scenario, executor: ExecutorSpec) -> Target:
    """Return what is run: the scenario's target, made from a command line or a function if it is one."""
    target = scenario.target
    if target is None and not isinstance(executor, Virtual):
        raise TargetError(
            "the scenario has no target, and this executor runs real ones",
            hint="pass Scenario(target=...), or executor=Virtual(cost) to simulate",
        )
    if isinstance(target, str):
        return CommandTarget(target)
    if callable(target):
        return FunctionTarget(target)
    return target  # type: ignore[no-any-return]
