"""From a scenario to what an engine goes by, and to what is run."""

from collections.abc import Sequence

import numpy as np

from tightrope.budget import Budget
from tightrope.errors import TargetError
from tightrope.race.candidates import Effort, Listed, Supply, WholeSpace
from tightrope.race.duel import Rules
from tightrope.race.model import Instances, Lessons, Taste
from tightrope.race.objective import Objective, score_of
from tightrope.race.plan import Plan
from tightrope.records import Config, Status
from tightrope.run import CommandTarget, ExecutorSpec, FunctionTarget, Target, Virtual
from tightrope.scenario.scenario import Scenario
from tightrope.space import Space
from tightrope.store import History


def plan_of(scenario: Scenario, seed: int, *, earlier: Sequence[History] = ()) -> Plan:
    """Return how the scenario is to be tuned, and what is known from earlier tunings of the same space."""
    space = Space.of(scenario.space)
    tactics = scenario.tactics
    rules = Rules(
        Objective(scenario.ceiling, scenario.par),
        slack=scenario.slack,
        resolution=scenario.resolution,
        first_rung=tactics.first_rung,
        stake=tactics.stake,
        seed=seed,
    )
    taste = Taste(
        scenario.ceiling,
        par=scenario.par,
        resolution=scenario.resolution,
        treatment=scenario.treatment,
        trees=tactics.trees,
    )
    default = space.decode(space.default()) if scenario.default is None else Config(scenario.default)
    return Plan(
        space,
        tuple(scenario.instances),
        rules,
        Budget.of(scenario.budget),
        _supply_of(scenario, space),
        taste,
        Instances.of(len(scenario.instances), scenario.feature_table, components=tactics.components),
        default,
        seeds=scenario.task_seeds,
        earlier=_lessons_of(earlier, space, scenario.instances),
        uses_model=scenario.model == "forest",
        first_tasks=tactics.first_tasks,
        opening=tactics.opening,
        defence=_defence_of(scenario, space),
        n_design=tactics.n_design,
        random_share=tactics.random_share,
        n_rivals=tactics.n_rivals,
        relative=tactics.relative,
        growth=tactics.growth,
        fewest_runs=tactics.fewest_runs,
        seed=seed,
    )


def _lessons_of(earlier: Sequence[History], space: Space, instances: Sequence[str]) -> Lessons | None:
    """Return what earlier runs on the same instances tell; those that were lost tell nothing."""
    number = {name: i for i, name in enumerate(instances)}
    runs = [
        run
        for history in earlier
        for run in history
        if run.trial.task.instance in number and run.outcome.status is not Status.LOST
    ]
    if not runs:
        return None
    scores = [score_of(run.outcome) for run in runs]
    return Lessons(
        space.encode([run.trial.config for run in runs]),
        np.array([number[run.trial.task.instance] for run in runs], dtype=np.int64),
        np.array([score.cost for score in scores]),
        np.array([not score.exact for score in scores], dtype=bool),
    )


def _defence_of(scenario: Scenario, space: Space) -> float:
    """Return how many tasks the incumbent gains for each challenger.

    Where configs are few it has all instances before they come to an end, for nobody has a second turn.
    """
    n_configs = space.size if scenario.candidates is None else max(1, len(scenario.candidates))
    return max(scenario.tactics.defence, len(scenario.instances) / n_configs)


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
        return CommandTarget(target, names=Space.of(scenario.space).names)
    if callable(target):
        return FunctionTarget(target)
    return target  # type: ignore[no-any-return]


def is_timed(target: Target) -> bool:
    """Whether the cost of its runs is time, and not a number that they tell."""
    if isinstance(target, CommandTarget):
        return not target.answer.prints_cost
    return isinstance(target, FunctionTarget) and target.clock != "cost"
