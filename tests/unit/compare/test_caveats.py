"""What a result must be taken with."""

from collections.abc import Sequence
from math import inf

import pytest

from tightrope import Scenario
from tightrope.compare.caveats import caveats
from tightrope.compare.progress import ProgressTracker
from tightrope.errors import Finding
from tightrope.records import Config, Finished, Improved, Incumbent, Outcome, Run, Status, Task, Trial
from tightrope.store import History

DEFAULT, OTHER = {"x": 0.5, "n": 8}, {"x": 0.2, "n": 8}
INSTANCES = [f"i{i}" for i in range(40)]


def scenario_of(**changes: object) -> Scenario:
    settings = {
        "space": {"x": (0.0, 1.0), "n": (1, 64)},
        "default": DEFAULT,
        "instances": INSTANCES,
        "ceiling": 10.0,
        "budget": 100.0,
    }
    return Scenario(**settings | changes)  # type: ignore[arg-type]


def runs_of(
    config: dict[str, float], costs: Sequence[float], *, first: int, status: Status = Status.DONE
) -> list[Run]:
    """Return runs of a config on one instance after the other."""
    return [
        Run(
            Trial(first + i, Config(config), 10.0, Task(INSTANCES[i])),
            Outcome(first + i, status, cost, min(cost, 10.0), wall_s=min(cost, 10.0), cpu_s=min(cost, 10.0)),
        )
        for i, cost in enumerate(costs)
    ]


def found(
    runs: list[Run], *, best: dict[str, float] = OTHER, scenario: Scenario | None = None
) -> dict[str, Finding]:
    scenario = scenario or scenario_of()
    tracker = ProgressTracker(scenario)
    for run in runs:
        tracker.take(Finished(run))
    tracker.take(Improved(Incumbent(Config(best), 1.0, 1)))
    return {each.code: each for each in caveats(scenario, tracker.progress(), History(runs))}


def healthy() -> list[Run]:
    """Return a tuning with which nothing is wrong."""
    other = Config({"x": 0.9, "n": 8})
    cut = runs_of(dict(other), [3.0] * 12, first=80, status=Status.CAPPED)
    costs = [1.0 + 0.1 * (i % 5) for i in range(30)]
    return [
        *runs_of(DEFAULT, [3 * cost for cost in costs], first=0),
        *runs_of(OTHER, costs, first=40),
        *cut,
    ]


def test_a_healthy_result_has_none() -> None:
    assert found(healthy()) == {}


def test_challengers_that_are_all_cut_short_are_told() -> None:
    runs = [
        *runs_of(DEFAULT, [3.0] * 12, first=0),
        *runs_of(OTHER, [3.0] * 20, first=20, status=Status.CAPPED),
    ]
    assert "all 20 runs" in found(runs, best=DEFAULT)["R01"].message


def test_nothing_cut_short_is_told() -> None:
    runs = [*runs_of(DEFAULT, [3.0] * 12, first=0), *runs_of(OTHER, [1.0] * 20, first=20)]
    assert "none of 20 runs" in found(runs)["R02"].message


def test_a_few_runs_tell_nothing_about_cutting() -> None:
    runs = [*runs_of(DEFAULT, [3.0] * 12, first=0), *runs_of(OTHER, [1.0] * 19, first=20)]
    assert not {"R01", "R02"} & found(runs).keys()


def test_an_incumbent_on_few_tasks_is_told() -> None:
    runs = [*runs_of(DEFAULT, [3.0] * 12, first=0), *runs_of(OTHER, [1.0] * 9, first=20)]
    assert "only 9 tasks" in found(runs)["R03"].message


def test_few_tasks_are_enough_if_there_are_no_more() -> None:
    scenario = scenario_of(instances=INSTANCES[:4])
    runs = [*runs_of(DEFAULT, [3.0] * 4, first=0), *runs_of(OTHER, [1.0] * 4, first=20)]
    assert "R03" not in found(runs, scenario=scenario)


@pytest.mark.parametrize(("value", "side"), [(0.0, "lowest"), (1.0, "largest")])
def test_a_parameter_at_the_end_of_its_range_is_told(value: float, side: str) -> None:
    runs = runs_of({"x": value, "n": 8}, [1.0] * 12, first=20)
    told = found([*healthy(), *runs], best={"x": value, "n": 8})["R04"].message
    assert told.startswith(f"x = {value:g} is the {side} allowed")


def test_a_parameter_at_an_end_where_the_default_is_as_well_is_no_news() -> None:
    scenario = scenario_of(default={"x": 0.0, "n": 8})
    best = {"x": 0.0, "n": 4}
    assert "R04" not in found(runs_of(best, [1.0] * 12, first=20), best=best, scenario=scenario)


def test_a_range_of_few_whole_numbers_has_no_ends_worth_telling() -> None:
    scenario = scenario_of(space={"x": (0.0, 1.0), "n": (6, 9)})
    best = {"x": 0.5, "n": 9}
    assert "R04" not in found(runs_of(best, [1.0] * 12, first=20), best=best, scenario=scenario)


def test_a_default_that_often_fails_is_told() -> None:
    failures = [
        Run(
            Trial(60 + i, Config(DEFAULT), 10.0, Task(INSTANCES[30 + i])),
            Outcome(60 + i, Status.FAILED, inf, 0.1),
        )
        for i in range(10)
    ]
    assert "10 of its 40 runs failed" in found([*healthy(), *failures])["R05"].message
    assert "R05" not in found([*healthy(), *failures[:7]])


def test_a_first_run_that_waited_is_told() -> None:
    first, *rest = healthy()
    slow = Run(first.trial, Outcome(0, Status.DONE, 3.0, 3.0, wall_s=9.0, cpu_s=3.0))
    assert "9 s for 3 s of CPU time" in found([slow, *rest])["R06"].message


def test_a_machine_on_which_all_runs_wait_has_no_cold_start() -> None:
    waiting = [
        Run(
            run.trial,
            Outcome(
                run.trial.id, run.outcome.status, run.outcome.cost, run.outcome.spent, wall_s=9.0, cpu_s=3.0
            ),
        )
        for run in healthy()
    ]
    assert "R06" not in found(waiting)


def test_a_gain_within_the_noise_is_told() -> None:
    costs = [1.0 + (i % 7) for i in range(20)]
    runs = [
        *runs_of(DEFAULT, costs, first=0),
        *runs_of(OTHER, [costs[(i + 3) % 20] * 0.99 for i in range(20)], first=30),
    ]
    assert "may be no gain at all" in found(runs)["R07"].message
