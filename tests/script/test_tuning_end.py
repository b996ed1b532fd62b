"""The end of a tuning, and the tasks it is about, as scripts: each end has its reason."""

import pytest

from engine_script import Script
from tightrope import Budget
from tightrope.records import Task


def test_a_budget_of_cost_ends_it() -> None:
    Script("DABC", budget=Budget(cost=20.0)).play(
        """
        D 0 cap 20: 10
        A 0 cap 10: 10
        stop: the cost budget of 20 is spent
        """
    )


def test_a_budget_of_runs_ends_it() -> None:
    Script("DABC", budget=Budget(runs=3)).play(
        """
        D 0 cap 100: 10
        A 0 cap 15: capped
        B 0 cap 15: capped
        stop: 3 runs are done
        """
    )


def test_a_lost_run_is_none_of_the_runs_that_the_budget_allows() -> None:
    Script("DABC", budget=Budget(runs=2)).play(
        """
        D 0 cap 100: lost
        D 0 cap 100: 10
        A 0 cap 15: capped
        stop: 2 runs are done
        """
    )


def test_a_budget_of_time_ends_it() -> None:
    Script("DABC", budget=Budget(wall="1m")).play(
        """
        D 0 cap 100: 50
        A 0 cap 75: 12
        stop: 60 s have passed
        """
    )


def test_time_that_nobody_ran_in_counts() -> None:
    script = Script("DABC", budget=Budget(wall=60.0))
    script.now_s = 60.0
    assert script.decide() == ["stop: 60 s have passed"]


def test_capped_runs_are_charged() -> None:
    script = Script("DAB", n_tasks=1)
    script.play(
        """
        D 0 cap 100: 10
        A 0 cap 15: capped
        """
    )
    assert script.engine.totals.spent == 25.0


def test_what_is_charged_may_differ_from_the_cost() -> None:
    script = Script("DAB", budget=Budget(cost=11.0))
    script.decide()
    script.end("D 0", 3.0, spent=11.0)
    assert script.engine.incumbent.cost == 3.0
    assert script.decide() == ["stop: the cost budget of 11 is spent"]


def test_it_ends_when_every_config_has_been_tried_and_the_incumbent_has_done_all_tasks() -> None:
    Script("DA", n_tasks=3).play(
        """
        D 0 cap 100: 10
        A 0 cap 15: capped
        D 1 cap 100: 10
        D 2 cap 100: 10
        stop: every config has been tried
        """
    )


def test_a_single_config_is_run_on_all_tasks() -> None:
    Script("D", n_tasks=2).play(
        """
        D 0 cap 100: 10
        D 1 cap 100: 10
        stop: every config has been tried
        """
    )


def test_a_single_task_is_plain_optimisation() -> None:
    script = Script("DABC")
    script.play(
        """
        D 0 cap 100: 10
        A 0 cap 15: 4
        B 0 cap 6: capped
        C 0 cap 6: 3
        stop: every config has been tried
        """
    )
    assert script.incumbent == "C"
    assert [incumbent.cost for incumbent in script.improved] == [4.0, 3.0]


def test_every_instance_has_its_turn_before_any_comes_again() -> None:
    script = Script("D", n_tasks=3, seeds=(7, 8))
    tasks = [script.task(place) for place in range(6)]
    assert {task.instance for task in tasks[:3]} == {"instance0", "instance1", "instance2"}
    assert [task.seed for task in tasks] == [7, 7, 7, 8, 8, 8]
    assert len(set(tasks)) == 6


def test_seeds_that_are_given_are_the_only_ones() -> None:
    Script("D", n_tasks=1, seeds=(7, 8)).play(
        """
        D 0 cap 100: 10
        D 1 cap 100: 10
        stop: every config has been tried
        """
    )


def test_a_randomised_target_has_no_end_of_tasks() -> None:
    script = Script("D", seeds=None, budget=Budget(runs=20))
    for place in range(20):
        assert script.decide() == [f"D {place} cap 100"]
        assert [trial.task for trial in script.trials.values()] == [Task("instance0", place)]
        script.end(f"D {place}", 10.0)
    assert script.decide() == ["stop: 20 runs are done"]


def test_the_best_so_far_is_a_bound_if_it_was_stopped_by_the_budget() -> None:
    script = Script("D", n_tasks=2, budget=Budget(cost=12.0))
    script.play(
        """
        D 0 cap 12: 10
        D 1 cap 2: capped
        stop: the cost budget of 12 is spent
        """
    )
    incumbent = script.engine.incumbent
    assert (incumbent.cost, incumbent.n_tasks, incumbent.is_bound) == (6.0, 2, True)


@pytest.mark.parametrize("n_tasks", [1, 2])
def test_before_anything_is_known_the_default_is_the_incumbent(n_tasks: int) -> None:
    incumbent = Script("DA", n_tasks=n_tasks).engine.incumbent
    assert (incumbent.config, incumbent.n_tasks) == ({"name": "D"}, 0)
