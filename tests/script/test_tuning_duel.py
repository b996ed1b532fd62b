"""Challenger against incumbent, as scripts: who goes on, who is dropped, who is promoted."""

from math import inf

import pytest

from engine_script import Script


def test_the_default_comes_first() -> None:
    script = Script("DABC", n_tasks=3)
    assert script.decide() == ["D 0 cap 100"]
    assert script.incumbent == "D"


def test_the_incumbent_gains_a_task_for_each_challenger() -> None:
    Script("DABC", n_tasks=4).play(
        """
        D 0 cap 100: 10
        A ? cap 15: capped
        D 1 cap 100: 10
        B ? cap 15: capped
        D 2 cap 100: 10
        C ? cap 15: capped
        D 3 cap 100: 10
        stop: every config has been tried
        """
    )


def test_the_default_opens_with_several_tasks() -> None:
    Script("DAB", n_tasks=5, first_tasks=3).play(
        """
        D 0 cap 100: 10
        D 1 cap 100: 10
        D 2 cap 100: 10
        A ? cap 15: capped
        B ? cap 15: capped
        D 3 cap 100: 10
        D 4 cap 100: 10
        stop: every config has been tried
        """
    )


def test_the_opening_ends_early_if_it_costs_too_many_ceilings() -> None:
    Script("DAB", n_tasks=5, first_tasks=3, opening=0.15).play(
        """
        D 0 cap 100: 10
        D 1 cap 100: 10
        A ? cap 15: capped
        """
    )


def test_rungs_double() -> None:
    """E meets D on 1, 2, 4 and all 5 tasks: on each rung it may cost what D did there."""
    script = Script("DABCFE", n_tasks=5, slack=1.0)
    script.play(
        """
        D 0 cap 100: 10
        A ? cap 10: capped
        D 1 cap 100: 10
        B ? cap 10: capped
        D 2 cap 100: 10
        C ? cap 10: capped
        D 3 cap 100: 10
        F ? cap 10: capped
        D 4 cap 100: 10
        E ? cap 10: 9
        E ? cap 11: 9
        E ? cap 22: 9
        E ? cap 13: 9
        E ? cap 14: 9
        """
    )
    assert script.incumbent == "E"
    assert script.engine.incumbent.n_tasks == 5


def test_a_tie_goes_on_but_does_not_win() -> None:
    script = Script("DAB", n_tasks=2)
    script.play(
        """
        D 0 cap 100: 10
        A 0 cap 15: 10
        D 1 cap 100: 10
        B ? cap 15: 10
        B ? cap 20: 10
        stop: every config has been tried
        """
    )
    assert script.incumbent == "D"


def test_who_is_worse_at_the_end_of_a_rung_is_dropped_although_the_slack_would_allow_it() -> None:
    Script("DAB", n_tasks=3).play(
        """
        D 0 cap 100: 10
        A 0 cap 15: 10.5
        D 1 cap 100: 10
        B ? cap 15: 10.5
        D 2 cap 100: 10
        stop: every config has been tried
        """
    )


def test_who_is_better_on_all_tasks_is_promoted_and_takes_up_the_next() -> None:
    script = Script("DAB", n_tasks=2)
    script.play(
        """
        D 0 cap 100: 10
        A 0 cap 15: 4
        A 1 cap 100: 5
        """
    )
    assert script.incumbent == "A"
    (improved,) = script.improved
    assert (improved.config["name"], improved.cost, improved.n_tasks, improved.spent) == ("A", 4.0, 1, 14.0)


def test_nobody_is_promoted_before_all_tasks_of_the_incumbent_are_done() -> None:
    script = Script("DABC", n_tasks=3)
    script.play(
        """
        D 0 cap 100: 10
        A ? cap 15: capped
        D 1 cap 100: 10
        B ? cap 15: capped
        D 2 cap 100: 10
        C ? cap 15: 1
        C ? cap 29: 1
        """
    )
    assert script.incumbent == "D"
    script.play("C ? cap 43: 1")
    assert script.incumbent == "C"
    assert script.engine.incumbent.n_tasks == 3


def test_better_on_the_first_tasks_does_not_win_if_the_sum_is_worse() -> None:
    script = Script("DAB", n_tasks=2)
    script.play(
        """
        D 0 cap 100: 10
        A 0 cap 15: capped
        D 1 cap 100: 10
        B ? cap 15: 1
        B ? cap 29: 25
        stop: every config has been tried
        """
    )
    assert script.incumbent == "D"


def test_who_is_capped_below_the_ceiling_is_dropped() -> None:
    script = Script("DAB", n_tasks=2)
    script.play(
        """
        D 0 cap 100: 10
        A 0 cap 15: capped
        D 1 cap 100: 10
        B ? cap 15: 9
        B ? cap 21: capped
        stop: every config has been tried
        """
    )
    assert script.incumbent == "D"


def test_a_timeout_is_charged_and_its_config_goes_on_while_the_sum_allows_it() -> None:
    """D needs 180 in all, so that 270 are allowed; B's timeout takes 100 of them."""
    script = Script("DAB", n_tasks=2, first_rung=2)
    script.play(
        """
        D 0 cap 100: 90
        A 0 cap 100: capped
        D 1 cap 100: 90
        B ? cap 100: capped
        B ? cap 100: 30
        """
    )
    assert script.incumbent == "B"
    assert script.engine.incumbent.cost == 65.0
    assert not script.engine.incumbent.is_bound, "a timeout is known as well as anything"


def test_a_timeout_that_takes_more_than_the_sum_allows_ends_its_config() -> None:
    """It counts 1000 with par 10, where 270 are allowed."""
    Script("DAB", n_tasks=2, first_rung=2, par=10.0).play(
        """
        D 0 cap 100: 90
        A 0 cap 100: capped
        D 1 cap 100: 90
        B ? cap 100: capped
        stop: every config has been tried
        """
    )


def test_without_slack_only_the_end_of_a_rung_ends_a_challenger() -> None:
    script = Script("DAB", n_tasks=2, slack=inf, first_rung=2)
    script.play(
        """
        D 0 cap 100: 10
        A 0 cap 100: 90
        D 1 cap 100: 10
        B ? cap 100: capped
        B ? cap 100: 1
        stop: every config has been tried
        """
    )
    assert script.incumbent == "D"


def test_a_failure_counts_as_a_timeout_however_fast_it_was() -> None:
    script = Script("DAB", par=10.0)
    script.play(
        """
        D 0 cap 100: 90
        A 0 cap 100: failed
        B 0 cap 100: capped
        stop: every config has been tried
        """
    )
    assert script.incumbent == "D"


def test_a_failing_config_cannot_win_against_an_incumbent_that_times_out() -> None:
    script = Script("DA")
    script.play(
        """
        D 0 cap 100: capped
        A 0 cap 100: failed
        stop: every config has been tried
        """
    )
    assert script.incumbent == "D"


def test_an_incumbents_failure_is_charged_and_another_may_win() -> None:
    script = Script("DA", n_tasks=1, par=2.0)
    script.play(
        """
        D 0 cap 100: failed
        A 0 cap 100: 50
        """
    )
    assert script.incumbent == "A"


@pytest.mark.parametrize("who", ["default", "challenger"])
def test_a_lost_run_is_run_again_under_the_same_cap(who: str) -> None:
    if who == "default":
        text = """
            D 0 cap 100: lost
            D 0 cap 100: 10
            A 0 cap 15: 9
            """
    else:
        text = """
            D 0 cap 100: 10
            A 0 cap 15: lost
            A 0 cap 15: lost
            A 0 cap 15: 9
            """
    script = Script("DA")
    script.play(text)
    assert script.incumbent == "A"


def test_what_a_lost_run_used_is_charged_to_the_budget_only() -> None:
    script = Script("DA")
    script.play("D 0 cap 100: 10")
    script.decide()
    script.end("A 0", "lost", spent=3.0)
    assert script.engine.totals.spent == 13.0
    assert script.decide() == ["A 0 cap 15"]


def test_lost_runs_that_are_not_in_a_row_do_not_end_it() -> None:
    script = Script("DA", n_tasks=20)
    for place in range(20):
        while (action := script.decide()[0]) != f"D {place} cap 100":
            script.end(action.partition(" cap ")[0], "capped")
        script.end(f"D {place}", "lost")
        script.play(f"D {place} cap 100: 10")
    assert script.engine.incumbent.n_tasks == 20


def test_between_rungs_a_challenger_may_cost_a_little_more() -> None:
    script = Script("DABC", n_tasks=2, tolerance=1.3)
    script.play(
        """
        D 0 cap 100: 10
        A ? cap 15: capped
        D 1 cap 100: 10
        B ? cap 15: 13.1
        C ? cap 15: 12.9
        C ? cap 17.1: 7
        """
    )
    assert script.incumbent == "C"
