"""The engine of ablate as a script: outcomes in, runs out."""

import pytest

from ablations import TASKS, Cost, all_on, is_on, switches
from tightrope import Budget
from tightrope.compare.ablation.engine import Engine, Phase, Terms
from tightrope.compare.ablation.result import route_of
from tightrope.drive import recall
from tightrope.errors import TargetError
from tightrope.race.objective import Objective
from tightrope.records import Cancel, Config, Outcome, Start, Status, StopKind, Task, Trial

NAMES = "abcdef"


def halving(config: Config, task: Task) -> float:
    """Return a cost that `b` and `e` divide by four and by two."""
    return 80.0 / (4.0 if config["b"] == "on" else 1.0) / (2.0 if config["e"] == "on" else 1.0)


def engine_of(budget: Budget | None = None) -> Engine:
    changes = all_on(switches(NAMES), NAMES)
    terms = Terms(TASKS, Objective(1000.0), 1e-6, budget)
    return Engine(changes, terms, lambda runs: lambda rows: 0.0 * rows[:, 0])


def outcome_of(trial: Trial, cost: Cost = halving) -> Outcome:
    amount = cost(trial.config, trial.task)
    if amount >= trial.cap:
        return Outcome(trial.id, Status.CAPPED, trial.cap, trial.cap)
    return Outcome(trial.id, Status.DONE, amount, amount)


def started(engine: Engine, slots: int = 1) -> list[Trial]:
    return [action.trial for action in engine.decide(slots, 0.0).actions if isinstance(action, Start)]


def finish(engine: Engine, *, slots: int = 1, most: int = 10_000) -> list[Trial | Outcome]:
    """Run to the end, or for so many runs; return trials and outcomes in their order."""
    log: list[Trial | Outcome] = []
    running: list[Trial] = []
    n_done = 0
    while n_done < most and engine.reason_to_stop(0.0) is None:
        running += (new := started(engine, slots - len(running)))
        log += new
        if not running:
            break
        outcome = outcome_of(running.pop(0))
        engine.observe(outcome)
        log.append(outcome)
        n_done += 1
    return log


def test_both_configs_are_measured_first_in_turn_up_to_the_ceiling() -> None:
    trials = started(engine_of(), 4)
    assert [is_on(trial.config) for trial in trials] == [NAMES, "", NAMES, ""]
    assert [trial.task for trial in trials] == [TASKS[0], TASKS[0], TASKS[1], TASKS[1]]
    assert {trial.cap for trial in trials} == {1000.0}


@pytest.mark.parametrize("slots", [1, 3])
def test_the_path_has_the_changes_that_matter_and_ends_at_the_best(slots: int) -> None:
    engine = engine_of()
    finish(engine, slots=slots)
    route = route_of(engine)
    assert engine.phase is Phase.DONE
    assert route is not None
    assert [step.changes[0].name for step in route.steps] == ["b", "e"]
    assert route.others is not None
    assert len(route.others.changes) == 4
    assert sum(step.share for step in [*route.steps, route.others]) == pytest.approx(1.0)
    assert is_on(route.stripped) == "be"


def test_after_the_end_it_says_that_it_is_complete() -> None:
    engine = engine_of()
    finish(engine)
    stop = engine.decide(1, 0.0).stop
    assert stop is not None
    assert stop.kind is StopKind.COMPLETE


@pytest.mark.parametrize("n_runs", [3, 17, 25, 40])
def test_replayed_and_live_engines_agree(n_runs: int) -> None:
    live, fresh = engine_of(), engine_of()
    log = finish(live, most=n_runs)
    past = recall(fresh, [type("Entry", (), {"what": what})() for what in log])
    assert len(past.runs) == n_runs
    for trial in past.pending.values():
        live.observe(outcome_of(trial))
        fresh.observe(outcome_of(trial))
    assert fresh.phase is live.phase
    assert started(fresh, 2) == started(live, 2)


def test_a_lost_run_is_run_again() -> None:
    engine = engine_of()
    (trial,) = started(engine)
    engine.observe(Outcome(trial.id, Status.LOST, 0.0, 0.0))
    (again,) = started(engine)
    assert (again.config, again.task) == (trial.config, trial.task)
    assert again.id != trial.id


def test_runs_of_a_lost_contest_are_cancelled_once() -> None:
    engine = engine_of()
    finish(engine, most=2 * len(TASKS))
    running = started(engine, len(TASKS))
    engine.observe(Outcome(running[0].id, Status.CAPPED, 900.0, 900.0))
    actions = engine.decide(0, 0.0).actions
    assert {action.trial_id for action in actions if isinstance(action, Cancel)} == {
        trial.id for trial in running[1:]
    }
    assert not engine.decide(0, 0.0).actions


@pytest.mark.parametrize(
    ("budget", "kind"), [(Budget(runs=20), StopKind.RUNS), (Budget(cost=900.0), StopKind.COST)]
)
def test_a_budget_ends_it_with_what_is_known(budget: Budget, kind: StopKind) -> None:
    engine = engine_of(budget)
    finish(engine)
    reason = engine.reason_to_stop(0.0)
    assert reason is not None
    assert reason.kind is kind
    route = route_of(engine)
    assert route is not None
    assert not route.is_complete
    assert sum(step.share for step in route.steps) + (route.others.share if route.others else 0.0) == (
        pytest.approx(1.0)
    )


def test_nothing_is_known_before_both_are_measured() -> None:
    engine = engine_of()
    finish(engine, most=5)
    assert route_of(engine) is None


def test_a_failure_of_the_first_run_is_an_error() -> None:
    engine = engine_of()
    (trial,) = started(engine)
    with pytest.raises(TargetError, match="no licence"):
        engine.observe(Outcome(trial.id, Status.FAILED, 0.0, 0.0, note="no licence"))
