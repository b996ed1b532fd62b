"""From a scenario to the plan of its race, and to the target that is run."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import inf

import numpy as np

from tightrope.budget import Budget
from tightrope.errors import TargetError
from tightrope.race.candidates import CandidateSource, Effort, ListedConfigs, WholeSpace
from tightrope.race.duel import Rules
from tightrope.race.objective import Objective, score_of
from tightrope.race.plan import Plan
from tightrope.race.tactics import Tactics
from tightrope.race.training import InstanceColumns, TrainingData
from tightrope.records import Config, Run, Status
from tightrope.run import CommandTarget, ExecutorSpec, FunctionTarget, Target, Virtual
from tightrope.scenario.scenario import Scenario
from tightrope.search.model import MarginalModel
from tightrope.search.surrogate import ForestModel
from tightrope.space import Space

_FEWEST_TO_SPLIT = 5  # observations in a node of the forest


def plan_of(scenario: Scenario, seed: int, *, earlier: Iterable[Iterable[Run]] = ()) -> Plan:
    """Return the plan of a race; `earlier` are the runs of earlier tunings of the same space."""
    space = Space.of(scenario.space)
    tactics = _tactics_of(scenario, space)
    rules = Rules(
        Objective(scenario.ceiling, scenario.par),
        slack=scenario.slack,
        resolution=scenario.resolution,
        tactics=tactics,
        seed=seed,
    )
    n_instances = len(scenario.instances)
    return Plan(
        space,
        tuple(scenario.instances),
        rules,
        Budget.of(scenario.budget),
        _candidates_of(scenario, space),
        InstanceColumns.of(n_instances, scenario.feature_table, components=tactics.components),
        scenario.default_config,
        model=_model_of(scenario),
        seeds=scenario.task_seeds,
        cost_limit=_cost_limit(scenario),
        earlier=_training_data(earlier, space, scenario.instances),
        first_must_work=True,
    )


def _cost_limit(scenario: Scenario) -> float:
    """Return the budget in units of cost; with a budget of wall time, that of one worker if cost is time."""
    budget, target = Budget.of(scenario.budget), scenario.target
    if budget.cost < inf or target is None:
        return budget.cost
    is_plain = not isinstance(target, CommandTarget | FunctionTarget)  # a command line or a function
    return budget.wall_s if is_plain or is_timed(target) else budget.cost


def _model_of(scenario: Scenario) -> MarginalModel | None:
    """Return the model that proposes challengers; None if they are drawn at random."""
    if scenario.model == "random":
        return None
    return ForestModel(
        options={
            "n_estimators": scenario.tactics.trees,
            "ceiling": scenario.ceiling,
            "par": scenario.par,
            "treatment": scenario.treatment,
            "min_samples_split": _FEWEST_TO_SPLIT,
        }
    )


def _training_data(
    earlier: Iterable[Iterable[Run]], space: Space, instances: Sequence[str]
) -> TrainingData | None:
    """Return earlier runs on the same instances as training data; lost runs are left out."""
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
    return TrainingData(
        space.encode([run.trial.config for run in runs]),
        np.array([number[run.trial.task.instance] for run in runs], dtype=np.int64),
        np.array([score.cost for score in scores]),
        np.array([not score.exact for score in scores], dtype=bool),
    )


def _tactics_of(scenario: Scenario, space: Space) -> Tactics:
    """Return the scenario's tactics; with few configs the incumbent gains tasks faster.

    It must have run on all instances before the configs run out, because no config gets a second chance.
    """
    n_configs = space.size if scenario.candidates is None else max(1, len(scenario.candidates))
    if scenario.tactics.belief:
        return scenario.tactics
    defence = max(scenario.tactics.defence, len(scenario.instances) / n_configs)
    return replace(scenario.tactics, defence=defence)


def _candidates_of(scenario: Scenario, space: Space) -> CandidateSource:
    if scenario.candidates is None:
        return WholeSpace(space, Effort())
    return ListedConfigs(space, [Config(candidate) for candidate in scenario.candidates])


def target_of(scenario: Scenario, executor: ExecutorSpec) -> Target:
    """Return the scenario's target; a command line or a function is made into one."""
    target = scenario.target
    if target is None and not isinstance(executor, Virtual):
        raise TargetError(
            "the scenario has no target, and this executor runs real targets",
            hint="pass Scenario(target=...), or executor=Virtual(cost) to simulate",
        )
    if isinstance(target, str):
        return CommandTarget(target, names=Space.of(scenario.space).names)
    if callable(target):
        return FunctionTarget(target)
    return target  # type: ignore[no-any-return]


def is_timed(target: Target) -> bool:
    """Whether the cost is time, and not a number that the target reports."""
    if isinstance(target, CommandTarget):
        return not target.answer.prints_cost
    return isinstance(target, FunctionTarget) and target.clock != "cost"
