"""Caps of challengers, as scripts: slack x incumbent(S) - challenger(done part of S), or the ceiling."""

from math import inf

from engine_script import Script
from tightrope import Budget


def test_a_first_cap_is_what_the_incumbent_needed_times_the_slack() -> None:
    Script("DA", slack=1.5).play(
        """
        D 0 cap 100: 10
        A 0 cap 15: capped
        stop: every config has been tried
        """
    )


def test_a_first_cap_is_at_most_the_ceiling() -> None:
    Script("DA", ceiling=12.0).play(
        """
        D 0 cap 12: 10
        A 0 cap 12: 5
        """
    )


def test_what_a_challenger_has_used_up_is_taken_off_its_cap() -> None:
    Script("DAB", n_tasks=2).play(
        """
        D 0 cap 100: 10
        A 0 cap 15: 12
        D 1 cap 100: 10
        B ? cap 15: 8
        B ? cap 22: 9
        """
    )


def test_the_slack_is_of_the_sum_over_the_rung_not_of_each_task() -> None:
    Script("DAB", n_tasks=2, first_rung=2).play(
        """
        D 0 cap 100: 10
        A 0 cap 15: capped
        D 1 cap 100: 10
        B ? cap 30: 24
        B ? cap 6: capped
        stop: every config has been tried
        """
    )


def test_caps_are_not_rounded() -> None:
    script = Script("DA", ceiling=1.0, slack=1.3, resolution=1e-9)
    script.play("D 0 cap 1: 0.00123")
    script.decide()
    (trial,) = script.trials.values()
    assert trial.cap == 1.3 * 0.00123


def test_without_slack_each_run_has_the_ceiling() -> None:
    Script("DABC", n_tasks=2, slack=inf, first_rung=2).play(
        """
        D 0 cap 100: 10
        A 0 cap 100: capped
        D 1 cap 100: 10
        B ? cap 100: 90
        B ? cap 100: 95
        C ? cap 100: 9
        """
    )


def test_a_slack_of_one_caps_at_the_incumbents_cost() -> None:
    Script("DA", slack=1.0).play(
        """
        D 0 cap 100: 10
        A 0 cap 10: capped
        stop: every config has been tried
        """
    )


def test_an_incumbents_timeout_counts_par_times_the_ceiling_in_the_challengers_cap() -> None:
    """What B may cost is 1.5 x (4 + 200), of which a timeout of its own takes 200."""
    Script("DAB", n_tasks=2, par=10.0, ceiling=20.0, slack=1.5, first_rung=2).play(
        """
        D 0 cap 20: 4
        A 0 cap 6: capped
        D 1 cap 20: capped
        B ? cap 20: capped
        B ? cap 20: 3
        """
    )


def test_no_run_has_more_than_what_is_left_of_the_budget() -> None:
    Script("DA", budget=Budget(cost=12.0)).play(
        """
        D 0 cap 12: 10
        A 0 cap 2: capped
        stop: the cost budget of 12 is spent
        """
    )


def test_a_first_rung_grows_until_there_is_something_to_be_faster_at() -> None:
    """On task 0 the incumbent takes no measurable time, so A meets it on both if that comes first."""
    seen = set()
    for duel_seed in range(10):
        script = Script("DA", n_tasks=2, resolution=0.1, duel_seed=duel_seed)
        script.play(
            """
            D 0 cap 100: 0.01
            D 1 cap 100: 10
            """
        )
        seen |= set(script.decide())
    assert seen == {"A 0 cap 15.015", "A 1 cap 15"}


def test_no_challenger_runs_where_none_can_be_measured_to_be_faster() -> None:
    Script("DAB", resolution=0.1).play(
        """
        D 0 cap 100: 0.01
        stop: the incumbent is already at the timer's resolution
        """
    )
