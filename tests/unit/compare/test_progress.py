"""What the events of a tuning add up to."""

import pytest

from tightrope import Scenario, tune
from tightrope.compare.contrast import Claim
from tightrope.compare.progress import Progress, ProgressTracker
from tightrope.records import (
    Basis,
    Config,
    Event,
    Finished,
    Improved,
    Incumbent,
    Outcome,
    Resumed,
    Run,
    Selected,
    Started,
    Status,
    Task,
    Trial,
)
from tightrope.run import Virtual

DEFAULT, OTHER = Config({"x": 0.5}), Config({"x": 0.2})


def scenario_of(**changes: object) -> Scenario:
    settings = {"space": {"x": (0.0, 1.0)}, "instances": ["a", "b", "c"], "ceiling": 10.0, "budget": 100.0}
    return Scenario(**settings | changes)  # type: ignore[arg-type]


def run_of(number: int, config: Config, instance: str, cost: float, status: Status = Status.DONE) -> Run:
    spent = 0.0 if cost == float("inf") else cost
    return Run(Trial(number, config, 10.0, Task(instance)), Outcome(number, status, cost, spent))


def standing_after(*events: Event) -> Progress:
    tracker = ProgressTracker(scenario_of())
    for event in events:
        tracker.take(event)
    return tracker.progress()


def test_before_anything_happens_the_incumbent_is_the_default_of_which_nothing_is_known() -> None:
    progress = standing_after()
    assert (progress.number, progress.config, progress.cost.n_tasks) == (0, DEFAULT, 0)
    assert progress.against_default.claim is Claim.SAME


def test_runs_are_counted_by_how_they_ended() -> None:
    lost = run_of(3, OTHER, "c", float("inf"), Status.LOST)
    failed = run_of(2, OTHER, "b", float("inf"), Status.FAILED)
    progress = standing_after(
        Finished(run_of(0, DEFAULT, "a", 4.0)),
        Finished(run_of(1, OTHER, "a", 3.0, Status.CAPPED)),
        Finished(failed),
        Finished(lost),
    )
    assert (progress.n_runs, progress.n_done, progress.n_capped) == (4, 1, 1)
    assert (progress.n_failed, progress.n_lost, progress.spent) == (1, 1, 7.0)


def test_what_was_spared_is_at_most_the_way_to_the_ceiling() -> None:
    progress = standing_after(
        Finished(run_of(0, DEFAULT, "a", 10.0, Status.CAPPED)),
        Finished(run_of(1, OTHER, "a", 3.0, Status.CAPPED)),
        Finished(run_of(2, OTHER, "b", 1.0)),
    )
    assert progress.spared == 7.0


def test_slots_are_busy_from_start_to_end() -> None:
    trial = Trial(0, DEFAULT, 10.0, Task("a"))
    assert standing_after(Started(trial, 4)).n_busy == 1
    after = standing_after(Started(trial, 4), Finished(run_of(0, DEFAULT, "a", 1.0)))
    assert (after.n_busy, after.slots) == (0, 4)


def test_the_last_selection_tells_what_challengers_come_from() -> None:
    assert standing_after(Selected((OTHER,), Basis.MODEL)).basis is Basis.MODEL


def test_an_improvement_is_compared_with_the_default() -> None:
    progress = standing_after(
        Finished(run_of(0, DEFAULT, "a", 4.0)),
        Finished(run_of(1, OTHER, "a", 2.0)),
        Improved(Incumbent(OTHER, 2.0, 1)),
    )
    assert (progress.number, progress.config, progress.against_default.ratio) == (1, OTHER, 2.0)
    assert (progress.n_seen, progress.n_used, progress.n_instances) == (1, 1, 3)


def test_numbers_follow_the_order_of_decisions_not_of_endings() -> None:
    third = Config({"x": 0.9})
    runs = (run_of(0, DEFAULT, "a", 4.0), run_of(2, third, "a", 1.0), run_of(1, OTHER, "a", 2.0))
    tracker = ProgressTracker(scenario_of())
    tracker.take(Resumed(runs, (), (), 7.0))
    assert (tracker.number(OTHER), tracker.number(third)) == (1, 2)


def test_a_past_adds_up_to_the_same_as_living_through_it() -> None:
    def seconds(config: dict[str, float], instance: str, seed: int) -> float:
        return 1.0 + 8.0 * abs(config["x"] - 0.3)

    events: list[Event] = []
    live = ProgressTracker(scenario_of())
    watched = (live.take, events.append)
    result = tune(
        scenario_of(), executor=Virtual(seconds), watch=lambda event: [take(event) for take in watched]
    )
    later = ProgressTracker(scenario_of())
    later.take(Resumed(tuple(result.history), tuple(result.trajectory), (), result.wall_s))
    one, other = live.progress(), later.progress()
    names = [name for name in Progress.__slots__ if name not in ("basis", "slots", "n_busy")]
    assert [getattr(one, name) for name in names] == [getattr(other, name) for name in names]
    assert one.cost.mean == pytest.approx(result.cost)
