"""tune(): what it returns, what it tells meanwhile, and how it ends."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tightrope import Budget, Scenario, tune
from tightrope.compare.contrast import Claim
from tightrope.errors import Finding, Severity, TargetError
from tightrope.race.tactics import Tactics
from tightrope.records import INTERRUPTED, Config, Event, Finished, Improved, Noted, Status
from tightrope.run import Executor, Mishap, Target, Virtual
from tightrope.run.virtual import Simulation
from tightrope.store import JournalReader


def seconds(config: Config, instance: str, seed: int) -> float:
    return (1.0 + 30.0 * (config["x"] - 0.3) ** 2) * len(instance)


def scenario_of(**changes: Any) -> Scenario:
    settings: dict[str, Any] = {
        "space": {"x": (0.0, 1.0)},
        "instances": ["a", "bb", "cccc"],
        "ceiling": 50.0,
        "budget": Budget(runs=40),
    }
    return Scenario(**settings | changes)


def test_the_first_run_is_the_defaults() -> None:
    result = tune(scenario_of(default={"x": 0.9}), executor=Virtual(seconds))
    first = result.history[0].trial
    assert (first.id, first.config, first.cap) == (0, {"x": 0.9}, 50.0)


def test_it_finds_something_better_and_says_so() -> None:
    result = tune(scenario_of(default={"x": 0.9}), executor=Virtual(seconds))
    assert abs(result.best["x"] - 0.3) < 0.2
    assert result.cost == result.trajectory[-1].cost or result.n_tasks > result.trajectory[-1].n_tasks
    assert result.against_default.ratio > 2.0
    assert result.spent == pytest.approx(sum(run.outcome.spent for run in result.history))
    assert result.wall_s == pytest.approx(result.spent)


def test_events_tell_runs_and_improvements_in_their_order() -> None:
    events: list[Event] = []
    result = tune(scenario_of(), executor=Virtual(seconds), watch=events.append)
    assert [event.run for event in events if isinstance(event, Finished)] == list(result.history)
    improved = [event.incumbent for event in events if isinstance(event, Improved)]
    assert improved == list(result.trajectory)
    assert improved


def test_a_seed_decides_everything() -> None:
    one, same, other = (
        tune(scenario_of(), executor=Virtual(seconds), seed=seed).history for seed in (1, 1, 2)
    )
    assert one == same
    assert one != other


def test_only_candidates_are_tried_until_all_have_been() -> None:
    candidates = [{"x": 0.1}, {"x": 0.2}, {"x": 0.35}, {"x": 0.8}]
    result = tune(scenario_of(candidates=candidates, budget=1e6), executor=Virtual(seconds))
    tried = {run.trial.config["x"] for run in result.history}
    assert tried == {0.1, 0.2, 0.35, 0.8, 0.5}
    assert result.best == {"x": 0.35}
    assert result.n_tasks == 3
    assert str(result.reason) == "every config has been tried"


@pytest.mark.parametrize("model", ["forest", "random"])
def test_a_small_space_is_tried_to_the_end(model: str) -> None:
    space = {"n": (1, 100), "kind": ["a", "b"]}
    scenario = Scenario(space=space, ceiling=50.0, budget=1e6, model=model)
    result = tune(scenario, executor=Virtual(lambda config, instance, seed: 1.0 + config["n"]))
    assert str(result.reason) == "every config has been tried"
    assert len({run.trial.config for run in result.history}) == 200
    assert result.best["n"] == 1


def test_a_single_task_needs_no_instances() -> None:
    scenario = Scenario(space={"x": (0.0, 1.0)}, ceiling=50.0, budget=Budget(runs=20))
    result = tune(scenario, executor=Virtual(lambda config, instance, seed: 1.0 + config["x"]))
    assert {run.trial.task.instance for run in result.history} == {""}
    assert result.n_tasks == 1


def test_a_randomised_target_is_run_with_seed_after_seed() -> None:
    result = tune(scenario_of(deterministic=False, instances=["a"]), executor=Virtual(seconds))
    seeds = {run.trial.task.seed for run in result.history.filter(config=result.best)}
    assert seeds == set(range(result.n_tasks))
    assert result.n_tasks > 3


def test_features_are_learnt_from() -> None:
    features = {"a": [1.0, 0.0], "bb": [2.0, 0.0], "cccc": [4.0, float("nan")]}
    result = tune(scenario_of(features=features), executor=Virtual(seconds))
    assert result.against_default.ratio > 1.0


def test_a_first_run_that_fails_ends_it_with_the_targets_words() -> None:
    executor = Virtual(lambda config, instance, seed: Mishap(0.1, note="no such file: solver"))
    with pytest.raises(
        TargetError, match=r"first run, of the default config .* no such file: solver"
    ) as caught:
        tune(scenario_of(), executor=executor)
    assert caught.value.config == {"x": 0.5}
    assert caught.value.hint


def test_a_first_run_that_failed_is_told_again_when_its_journal_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "run.journal"
    failing = Virtual(lambda config, instance, seed: Mishap(0.1, note="no such file: solver"))
    with pytest.raises(TargetError):
        tune(scenario_of(), executor=failing, journal=path)
    with pytest.raises(TargetError, match=r"no such file: solver.*new journal"):
        tune(scenario_of(), executor=Virtual(seconds), journal=path)


def test_failures_of_others_cost_them_the_ceiling() -> None:
    def failing(config: Config, instance: str, seed: int) -> float | Mishap:
        return seconds(config, instance, seed) if config["x"] == 0.5 else Mishap(0.01)

    result = tune(scenario_of(), executor=Virtual(failing))
    assert result.best == {"x": 0.5}
    assert result.against_default.claim is Claim.SAME


def test_without_a_run_that_finished_there_is_no_result() -> None:
    executor = Virtual(lambda config, instance, seed: float("inf"))
    with pytest.raises(TargetError, match="no run finished: 10 runs are done") as caught:
        tune(scenario_of(budget=Budget(runs=10)), executor=executor)
    assert len(caught.value.history) == 10


def interrupt_after(n_runs: int) -> Callable[[Event], None]:
    left = [n_runs]

    def watch(event: Event) -> None:
        left[0] -= isinstance(event, Finished)
        if left[0] == 0:
            raise KeyboardInterrupt

    return watch


def test_an_interrupt_returns_the_best_so_far() -> None:
    whole = tune(scenario_of(), executor=Virtual(seconds))
    part = tune(scenario_of(), executor=Virtual(seconds), watch=interrupt_after(12))
    assert list(part.history) == list(whole.history)[:12]
    assert part.reason is INTERRUPTED
    assert part.wall_s == pytest.approx(part.spent)
    assert part.best == part.trajectory[-1].config


def test_an_interrupt_before_any_run_is_an_interrupt() -> None:
    def interrupt(config: Config, instance: str, seed: int) -> float:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tune(scenario_of(), executor=Virtual(interrupt))


def test_a_scenario_without_a_target_can_only_be_simulated() -> None:
    with pytest.raises(TargetError, match=r"Scenario\(target=...\), or executor=Virtual"):
        tune(scenario_of())


def test_a_budget_of_cost_is_kept_to_the_last_run() -> None:
    result = tune(scenario_of(budget=100.0), executor=Virtual(seconds))
    assert result.spent == pytest.approx(100.0)
    assert str(result.reason) == "the cost budget of 100 is spent"


def test_a_budget_of_time_includes_thinking() -> None:
    result = tune(scenario_of(budget=Budget(wall="2m")), executor=Virtual(seconds, overhead=1.0))
    assert str(result.reason) == "120 s have passed"
    assert 120.0 <= result.wall_s < 121.0, "a decision that has begun is made"
    assert result.spent + len(result.history) <= result.wall_s


def test_runs_in_several_slots_are_no_more_than_allowed() -> None:
    executor = Virtual(lambda config, instance, seed: 1.0 + round(config["x"]), slots=4)
    result = tune(scenario_of(budget=Budget(runs=30)), executor=executor)
    assert len(result.history) == 30


def test_siblings_of_a_dropped_challenger_are_stopped_early() -> None:
    """The default is the best there is: challengers are dropped before their four runs have ended."""
    scenario = scenario_of(
        instances=["a" * n for n in range(1, 9)],
        default={"x": 0.3},
        model="random",
        tactics=Tactics(first_rung=4),
    )
    result = tune(scenario, executor=Virtual(seconds, slots=6))
    notes = [run.outcome.note for run in result.history.filter(status=Status.CAPPED)]
    assert "cancelled" in notes


def test_everything_is_in_the_journal(tmp_path: Path) -> None:
    path = tmp_path / "run.journal"
    result = tune(scenario_of(), executor=Virtual(seconds, slots=3), journal=path)
    with JournalReader(path) as reader:
        assert list(reader.history()) == list(result.history)


class Telling(Simulation):
    """A simulation that has something to say about each run."""

    severity = Severity.WARNING

    def findings(self) -> Sequence[Finding]:
        return [Finding("T01", self.severity, "trial 0", "its clock is slow", "mend it")]


class Appalled(Telling):
    severity = Severity.ERROR


@dataclass(frozen=True)
class Opens:
    """Opens a simulation of this kind."""

    kind: type[Simulation]

    def open(self, target: Target) -> Executor:
        return self.kind(Virtual(seconds), None)


def test_findings_are_noted_and_kept() -> None:
    events: list[Event] = []
    scenario = scenario_of(target="true", budget=Budget(runs=3))
    result = tune(scenario, executor=Opens(Telling), watch=events.append)
    noted = [event.finding for event in events if isinstance(event, Noted)]
    assert noted == list(result.findings)
    assert {finding.code for finding in noted} == {"T01"}


def test_a_finding_that_is_an_error_ends_it_and_the_runs_are_not_lost() -> None:
    with pytest.raises(TargetError, match="trial 0: its clock is slow; mend it") as caught:
        tune(scenario_of(target="true"), executor=Opens(Appalled))
    assert len(caught.value.history) == 1
