"""A tuning that was stopped goes on as if it never had been, from its journal alone."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tightrope import Budget, Scenario, TuneResult, tune
from tightrope.errors import JournalError
from tightrope.records import INTERRUPTED, Config, Event, Finished, Status
from tightrope.run import Mishap, Virtual
from tightrope.store import JournalReader

INSTANCES = ["a", "bb", "cccc"]
N_RUNS = 30
Cost = Callable[[Config, str, int], float | Mishap]


def seconds(config: Config, instance: str, seed: int) -> float | Mishap:
    """Cost more than the ceiling, or fail, in corners of the space."""
    if config["kind"] == "b" and config["x"] > 0.9:
        return Mishap(0.5)
    return float((1.0 + 30.0 * (config["x"] - 0.3) ** 2) * len(instance)) * (
        3.0 if config["kind"] == "b" else 1.0
    )


def thinking(decision: int) -> float:
    """Take so long for some decisions that the model is not always paid."""
    return 0.3 * (decision % 7) ** 2


def scenario_of(**changes: Any) -> Scenario:
    settings: dict[str, Any] = {
        "space": {"x": (0.0, 1.0), "kind": ["a", "b"]},
        "instances": INSTANCES,
        "ceiling": 50.0,
        "budget": Budget(runs=N_RUNS),
    }
    return Scenario(**settings | changes)


def stop_after(n_runs: int) -> Callable[[Event], None]:
    """Return a watch that presses Ctrl-C when so many runs are over."""
    seen = [0]

    def watch(event: Event) -> None:
        seen[0] += isinstance(event, Finished)
        if seen[0] == n_runs:
            raise KeyboardInterrupt

    return watch


def break_at(n_runs: int) -> Cost:
    """Return costs of which one breaks: its run is under way then, and written down."""
    seen = [0]

    def cost(config: Config, instance: str, seed: int) -> float | Mishap:
        seen[0] += 1
        if seen[0] == n_runs:
            raise ConnectionError("the machine went down")
        return seconds(config, instance, seed)

    return cost


def test_stopped_between_runs_it_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    executor = Virtual(seconds, overhead=thinking)
    whole = tune(scenario_of(), executor=executor)
    for n_runs in range(1, N_RUNS, 4):
        path = tmp_path / f"{n_runs}.journal"
        part = tune(scenario_of(), executor=executor, journal=path, watch=stop_after(n_runs))
        assert (len(part.history), part.reason) == (n_runs, INTERRUPTED)
        assert is_same(tune(scenario_of(), executor=executor, journal=path), whole)


def test_stopped_in_the_middle_of_a_run_it_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    executor = Virtual(seconds, overhead=thinking)
    whole = tune(scenario_of(), executor=executor)
    for n_runs in range(1, N_RUNS, 4):
        path = tmp_path / f"{n_runs}.journal"
        with pytest.raises(ConnectionError):
            tune(scenario_of(), executor=Virtual(break_at(n_runs), overhead=thinking), journal=path)
        with JournalReader(path) as reader:
            assert [trial.id for trial in reader.pending()] == [n_runs - 1]
        assert is_same(tune(scenario_of(), executor=executor, journal=path), whole)


def is_same(one: TuneResult, other: TuneResult) -> bool:
    assert list(one.history) == list(other.history)
    assert (one.best, one.cost, one.reason) == (other.best, other.cost, other.reason)
    assert one.against_default == other.against_default
    assert one.wall_s == pytest.approx(other.wall_s)
    assert [incumbent.config for incumbent in one.trajectory] == [
        incumbent.config for incumbent in other.trajectory
    ]
    return True


def test_stopped_after_every_single_run_it_is_the_same(tmp_path: Path) -> None:
    executor = Virtual(seconds, overhead=thinking)
    path = tmp_path / "run.journal"
    for _ in range(N_RUNS - 1):
        tune(scenario_of(), executor=executor, journal=path, watch=stop_after(1))
    assert is_same(
        tune(scenario_of(), executor=executor, journal=path), tune(scenario_of(), executor=executor)
    )


def test_more_budget_goes_on_as_if_it_had_been_there_from_the_beginning(tmp_path: Path) -> None:
    executor = Virtual(seconds)
    path = tmp_path / "run.journal"
    first = tune(scenario_of(budget=Budget(runs=15)), executor=executor, journal=path)
    assert (len(first.history), str(first.reason)) == (15, "15 runs are done")
    assert is_same(
        tune(scenario_of(), executor=executor, journal=path), tune(scenario_of(), executor=executor)
    )


def test_a_run_that_the_budget_cut_short_goes_on_with_more(tmp_path: Path) -> None:
    executor = Virtual(seconds)
    path = tmp_path / "run.journal"
    first = tune(scenario_of(budget=90.0), executor=executor, journal=path)
    more = tune(scenario_of(budget=120.0), executor=executor, journal=path)
    assert first.spent == pytest.approx(90.0)
    assert more.spent == pytest.approx(120.0)
    assert list(more.history)[: len(first.history)] == list(first.history)


def test_time_before_a_break_counts(tmp_path: Path) -> None:
    executor = Virtual(seconds, overhead=1.0)
    path = tmp_path / "run.journal"
    scenario = scenario_of(budget=Budget(wall=100.0))
    part = tune(scenario, executor=executor, journal=path, watch=stop_after(5))
    rest = tune(scenario, executor=executor, journal=path)
    assert str(rest.reason) == "100 s have passed"
    assert rest.wall_s == pytest.approx(100.0)
    assert list(rest.history) == list(tune(scenario, executor=executor).history)
    assert len(part.history) == 5


def test_a_journal_that_is_done_is_done(tmp_path: Path) -> None:
    path = tmp_path / "run.journal"
    first = tune(scenario_of(), executor=Virtual(seconds), journal=path)
    assert is_same(tune(scenario_of(), executor=Virtual(break_at(1)), journal=path), first)


def test_several_slots_go_on_with_what_was_under_way(tmp_path: Path) -> None:
    path = tmp_path / "run.journal"
    with pytest.raises(ConnectionError):
        tune(scenario_of(), executor=Virtual(break_at(20), slots=4), journal=path)
    with JournalReader(path) as reader:
        pending = {trial.id for trial in reader.pending()}
    result = tune(scenario_of(), executor=Virtual(seconds, slots=4), journal=path)
    assert len(pending) > 1
    assert pending <= {run.trial.id for run in result.history}
    assert len(result.history) == N_RUNS


def test_fewer_slots_than_runs_were_under_way_are_enough(tmp_path: Path) -> None:
    path = tmp_path / "run.journal"
    with pytest.raises(ConnectionError):
        tune(scenario_of(), executor=Virtual(break_at(20), slots=4), journal=path)
    assert len(tune(scenario_of(), executor=Virtual(seconds), journal=path).history) == N_RUNS


def test_lost_runs_stay_lost(tmp_path: Path) -> None:
    losses = [3, 7]

    def lossy(config: Config, instance: str, seed: int) -> float | Mishap:
        losses[:] = [left - 1 for left in losses]
        return Mishap(0.1, Status.LOST) if 0 in losses else seconds(config, instance, seed)

    path = tmp_path / "run.journal"
    tune(scenario_of(), executor=Virtual(lossy), journal=path, watch=stop_after(10))
    result = tune(scenario_of(), executor=Virtual(seconds), journal=path)
    assert len(result.history.filter(status=Status.LOST)) == 2
    assert len(result.history) == N_RUNS + 2


def test_another_seed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.journal"
    tune(scenario_of(), executor=Virtual(seconds), journal=path, seed=1)
    with pytest.raises(JournalError, match=r"seed 1, not 2; pass seed=1 to resume"):
        tune(scenario_of(), executor=Virtual(seconds), journal=path, seed=2)
    tune(scenario_of(), executor=Virtual(seconds), journal=path, seed=1)


def test_another_scenario_is_refused_and_the_journal_left_free(tmp_path: Path) -> None:
    path = tmp_path / "run.journal"
    tune(scenario_of(), executor=Virtual(seconds), journal=path)
    with pytest.raises(JournalError, match=r"changed: ceiling \(was 50\.0, now 51\.0\)"):
        tune(scenario_of(ceiling=51.0), executor=Virtual(seconds), journal=path)
    tune(scenario_of(), executor=Virtual(seconds), journal=path)


def test_an_empty_file_is_a_journal_that_never_began(tmp_path: Path) -> None:
    path = tmp_path / "run.journal"
    path.touch()
    assert len(tune(scenario_of(), executor=Virtual(seconds), journal=path).history) == N_RUNS


def test_a_tuning_that_lost_its_workers_goes_on_when_there_are_others(tmp_path: Path) -> None:
    def dying(config: Config, instance: str, seed: int) -> float | Mishap:
        return 1.0 if config["x"] == 0.5 else Mishap(0.1, Status.LOST)

    path = tmp_path / "a.journal"
    lost = tune(scenario_of(), executor=Virtual(dying), journal=path)
    assert str(lost.reason) == "10 runs in a row were lost"
    rest = tune(scenario_of(), executor=Virtual(seconds), journal=path)
    assert str(rest.reason) == f"{N_RUNS} runs are done"
