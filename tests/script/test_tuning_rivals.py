"""Configs that were dropped, as scripts: when they come back, and what they are run on then."""

from itertools import count

import pytest

from engine_script import Script


def dethroned_by_b(a_on_0: str) -> Script:
    """Return a script in which A loses to D on task 0, and then B, slow there, wins by its cost on task 1.

    D costs 10 and 100, B 30 and 20. The random order in which B meets the two tasks is the one that lets it.
    """
    for seed in count():
        script = Script("DAB", n_tasks=2, n_rivals=2, duel_seed=seed)
        script.play(
            f"""
            D 0 cap 100: 10
            A 0 cap 15: {a_on_0}
            D 1 cap 100: 100
            """
        )
        if script.decide() == ["B 1 cap 100"]:
            break
    script.end("B 1", 20.0)
    script.play("B 0 cap 100: 30")
    assert script.incumbent == "B"
    return script


def test_who_was_capped_comes_back_if_its_bound_is_below_the_new_incumbents_cost() -> None:
    """Its cap has grown from 15 to 1.5 x 30."""
    script = dethroned_by_b(a_on_0="capped")
    assert script.decide() == ["A 0 cap 45"]


def test_who_was_dropped_at_a_cost_below_the_new_incumbents_goes_on_with_another_task() -> None:
    """The 12 on task 0 are taken off the 1.5 x 50 that both tasks allow."""
    script = dethroned_by_b(a_on_0="12")
    script.play("A 1 cap 63: 25")
    assert script.incumbent == "A"


@pytest.mark.parametrize("a_on_0", ["31", "failed"])
def test_who_is_worse_than_the_new_incumbent_as_well_does_not_come_back(a_on_0: str) -> None:
    script = dethroned_by_b(a_on_0)
    assert script.decide() == ["stop: every config has been tried"]


def test_who_could_only_be_seen_to_be_better_by_less_than_the_resolution_does_not_come_back() -> None:
    """A is known to cost 10 at least on task 0, and B costs 10.5 there, where 1 cannot be measured."""
    for seed in count():
        script = Script("DAB", n_tasks=2, n_rivals=2, duel_seed=seed, slack=1.0, resolution=1.0)
        script.play(
            """
            D 0 cap 100: 10
            A 0 cap 10: capped
            D 1 cap 100: 100
            """
        )
        if script.decide() == ["B 1 cap 100"]:
            break
    script.end("B 1", 20.0)
    script.play(
        """
        B 0 cap 90: 10.5
        stop: every config has been tried
        """
    )


def test_who_was_capped_is_not_run_again_while_its_cap_would_not_grow() -> None:
    Script("DA", n_tasks=3, n_rivals=2).play(
        """
        D 0 cap 100: 10
        A 0 cap 15: capped
        D 1 cap 100: 10
        D 2 cap 100: 10
        stop: every config has been tried
        """
    )


def test_a_dethroned_incumbent_does_not_come_back_while_it_is_worse_on_what_both_know() -> None:
    script = Script("DA", n_tasks=2, n_rivals=2)
    script.play(
        """
        D 0 cap 100: 10
        A 0 cap 15: 5
        A 1 cap 100: 90
        stop: every config has been tried
        """
    )
    assert script.incumbent == "A"
