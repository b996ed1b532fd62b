"""From a scenario to what an engine goes by, and to what is run."""

from tightrope.budget import Budget
from tightrope.errors import TargetError
from tightrope.race.duel import Rules
from tightrope.race.engine import Plan
from tightrope.race.level import FixedLevel, RisingLevel
from tightrope.race.objective import Objective
from tightrope.race.select import Instances, Taste
from tightrope.race.supply import Effort, Listed, WholeSpace
from tightrope.records import Config
from tightrope.run import CommandTarget, ExecutorSpec, FunctionTarget, Target, Virtual
from tightrope.scenario.scenario import Scenario
from tightrope.space import Space


def plan_of(scenario: Scenario, seed: int) -> Plan:
    """Return how the scenario is to be tuned."""
    space = Space.of(scenario.space)
    options = dict(scenario.options or {})
    doublings = options.pop("doublings", 0)
    level = (
        RisingLevel(scenario.ceiling, doublings, options.pop("reached", 0.5))
        if doublings
        else FixedLevel(scenario.ceiling)
    )
    rules = Rules(
        Objective(scenario.ceiling, scenario.par),
        slack=scenario.slack,
        resolution=scenario.resolution,
        seed=seed,
        **options.pop("rules", {}),
    )
    taste = Taste(
        scenario.ceiling,
        resolution=scenario.resolution,
        treatment=scenario.treatment,
        is_random=scenario.model == "random",
        **options.pop("taste", {}),
    )
    candidates = scenario.candidates
    return Plan(
        space,
        tuple(scenario.instances),
        rules,
        level,
        Budget.of(scenario.budget),
        WholeSpace(space, Effort()) if candidates is None else Listed(space, [Config(each) for each in candidates]),
        taste,
        Instances.of(len(scenario.instances), scenario.feature_table),
        seeds=scenario.task_seeds,
        default=None if scenario.default is None else Config(scenario.default),
        seed=seed,
        **options,
    )


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
