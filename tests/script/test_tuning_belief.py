"""A race that decides by belief, as scripts: the working ceiling, doubt, second chances and the end."""

from engine_script import Script
from tightrope import Budget
from tightrope.records import Decision


def belief(names: str, *, cost: float = 100_000.0, **settings: object) -> Script:
    """Return a script with a budget of cost, in which the default runs two tasks first."""
    tactics = {"belief": True, "first_tasks": 2, "defence": 0.03, "slack": 1.3}
    return Script(names, budget=Budget(cost=cost), **(tactics | settings))  # type: ignore[arg-type]


def test_the_incumbent_runs_under_a_250th_of_the_budget() -> None:
    script = belief("DA", cost=5000.0, n_tasks=4)
    assert script.decide() == ["D 0 cap 20"]


def test_the_working_ceiling_is_raised_if_more_runs_reach_it_than_end() -> None:
    """Three runs that are unsolved at 20 are run again under 80."""
    belief("DA", cost=5000.0, n_tasks=4, first_tasks=4).play(
        """
        D 0 cap 20: capped
        D 1 cap 20: capped
        D 2 cap 20: capped
        D 0 cap 80: 30
        D 1 cap 90: 5
        D 2 cap 52.5: capped
        D 3 cap 52.5: 6
        """
    )


def test_the_working_ceiling_is_at_least_three_times_the_incumbents_mean() -> None:
    belief("DA", cost=5000.0, n_tasks=3).play(
        """
        D 0 cap 20: 18
        D 1 cap 54: 10
        """
    )


def test_a_run_unsolved_at_the_working_ceiling_is_no_timeout() -> None:
    """It counts as more than its bound and as less than the user's ceiling, and the mean is a bound."""
    script = belief("DA", cost=5000.0, n_tasks=3, first_tasks=3)
    script.play(
        """
        D 0 cap 20: 1
        D 1 cap 20: 1
        D 2 cap 20: capped
        """
    )
    script.decide()
    race = script.engine._race
    assert 20.0 < race.to_beat[2] < 100.0
    assert script.engine.incumbent.is_bound
    assert script.engine.incumbent.cost == 22.0 / 3


def test_the_default_opens_with_tasks_until_three_matter() -> None:
    """Two were asked for, but the second costs next to nothing."""
    script = belief("DA", n_tasks=30)
    script.play(
        """
        D 0 cap 100: 10
        D 1 cap 100: 0.1
        D 2 cap 100: 10
        D 3 cap 100: 10
        """
    )
    assert script.decide()[0].startswith("A")


def test_a_narrow_lead_is_doubted_until_there_are_more_tasks() -> None:
    """A leads by 10 % on three tasks: D gains one. When A leads on the four by much more, it is promoted."""
    script = belief("DA", n_tasks=30)
    script.play(
        """
        D 0 cap 100: 10
        D 1 cap 100: 10
        D 2 cap 100: 10
        A ? cap 13: 9
        A ? cap 17: 9
        A ? cap 21: 9
        D 3 cap 100: 10
        """
    )
    assert script.incumbent == "D"
    script.play("A 3 cap 25: 1")
    assert script.incumbent == "A"


def test_a_clear_lead_is_believed_at_once() -> None:
    script = belief("DA", n_tasks=30)
    script.play(
        """
        D 0 cap 100: 10
        D 1 cap 100: 10
        D 2 cap 100: 10
        A ? cap 13: 2
        A ? cap 24: 2
        A ? cap 35: 2
        stop: every config has been tried
        """
    )
    assert script.incumbent == "A"


def test_a_lead_on_all_tasks_is_no_matter_of_belief() -> None:
    script = belief("DA", n_tasks=2)
    script.play(
        """
        D 0 cap 100: 10
        D 1 cap 100: 10
        A ? cap 13: 9.9
        A ? cap 16.1: 9.9
        """
    )
    assert script.incumbent == "A"


def test_who_was_dropped_gets_a_second_chance_when_there_is_nobody_new() -> None:
    """A was a little slower on its first task; B was hopeless."""
    script = belief("DAB", n_tasks=8, first_tasks=3)
    script.play(
        """
        D 0 cap 100: 10
        D 1 cap 100: 10
        D 2 cap 100: 10
        A ? cap 13: 11
        B ? cap 13: capped
        A ? cap 15: 2
        A ? cap 26: 2
        """
    )
    assert script.incumbent == "A"


def test_the_last_part_of_the_budget_belongs_to_who_was_dropped() -> None:
    """A was a little slower on its first task. It returns for the last run, before C."""
    script = Script(
        "DABC", n_tasks=8, budget=Budget(runs=6), belief=True, first_tasks=2, defence=0.03, ending=0.2
    )
    script.play(
        """
        D 0 cap 100: 10
        D 1 cap 100: 10
        D 2 cap 100: 10
        A ? cap 15: 11
        B ? cap 15: capped
        A ? cap 19: 2
        stop: 6 runs are done
        """
    )


def test_a_journal_from_before_is_decided_by_sums() -> None:
    """Its decisions do not say which budget they went by."""
    script = belief("DA", cost=5000.0, n_tasks=4)
    script.engine.adopt(Decision(0, 0.0))
    assert script.decide() == ["D 0 cap 100"]
