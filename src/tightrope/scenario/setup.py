"""From a scenario to the plan of its race, and to the target that is run."""

from dataclasses import replace
from math import inf
from typing import Final

from tightrope.budget import Budget
from tightrope.errors import TargetError
from tightrope.race.candidates import CandidateSource, Effort, ListedConfigs, WholeSpace
from tightrope.race.duel import Rules
from tightrope.race.objective import Objective
from tightrope.race.plan import Plan
from tightrope.race.tactics import Tactics
from tightrope.records import Config
from tightrope.run import CommandTarget, ExecutorSpec, FunctionTarget, Target, Virtual
from tightrope.scenario.earlier import Earlier
from tightrope.scenario.earlier_runs import model_columns
from tightrope.scenario.scenario import Scenario
from tightrope.search.model import MarginalModel
from tightrope.search.surrogate import ForestModel
from tightrope.space import Space

_FEWEST_TO_SPLIT = 5  # observations in a node of the forest
_NOTHING: Final = Earlier()


def plan_of(scenario: Scenario, seed: int, *, earlier: Earlier = _NOTHING) -> Plan:
    """Return the plan of a race."""
    space = Space.of(scenario.space)
    tactics = _tactics_of(scenario, space)
    rules = Rules(
        Objective(scenario.ceiling, scenario.par),
        slack=scenario.slack,
        resolution=scenario.resolution,
        tactics=tactics,
        seed=seed,
    )
    view, runs = model_columns(scenario, earlier, components=tactics.components)
    return Plan(
        space,
        tuple(scenario.instances),
        rules,
        Budget.of(scenario.budget),
        _candidates_of(scenario, space),
        view,
        scenario.default_config,
        model=_model_of(scenario),
        seeds=scenario.task_seeds,
        cost_limit=_cost_limit(scenario),
        initial=_initial_of(scenario, earlier),
        earlier=runs,
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


def _initial_of(scenario: Scenario, earlier: Earlier) -> tuple[Config, ...]:
    """Return the first challengers: the scenario's, then the best of earlier tunings that may be chosen."""
    listed = None if scenario.candidates is None else {Config(each) for each in scenario.candidates}
    best = [config for config in earlier.best if listed is None or config in listed]
    initial = dict.fromkeys([*map(Config, scenario.initial), *best])
    return tuple(config for config in initial if config != scenario.default_config)


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
