"""Several slots, as scripts: siblings, challengers and the incumbent at once; who is dropped is cancelled."""

import re

import pytest

from engine_script import Script
from tightrope import Budget


def rung_of_three(**settings: object) -> Script:
    """Return a script in which D has done three tasks at 10 each, and B meets it on all of them at once."""
    script = Script("DAB", n_tasks=3, first_rung=3, slots=3, **settings)  # type: ignore[arg-type]
    assert script.decide() == ["D 0 cap 100", "D 1 cap 100", "D 2 cap 100"]
    for place in range(3):
        script.end(f"D {place}", 10.0)
    return script


def test_the_default_takes_up_as_many_tasks_as_there_are_slots() -> None:
    script = Script("DABC", n_tasks=5, slots=3)
    assert script.decide() == ["D 0 cap 100", "D 1 cap 100", "D 2 cap 100"]


def test_no_challenger_starts_before_there_is_something_to_compare_it_with() -> None:
    script = Script("DABC", n_tasks=2, slots=4)
    assert script.decide() == ["D 0 cap 100", "D 1 cap 100"]
    assert script.decide() == []
    script.end("D 1", 10.0)
    assert script.decide() == ["A 1 cap 15", "B 1 cap 15", "C 1 cap 15"]


def test_siblings_run_at_once_each_under_what_is_left_of_the_rung() -> None:
    script = rung_of_three()
    started = script.decide()
    assert sorted(started) == ["A 0 cap 45", "A 1 cap 45", "A 2 cap 45"]


def test_siblings_started_later_have_what_the_others_left() -> None:
    script = rung_of_three()
    script.slots = 1
    (first,) = script.decide()
    script.end(first.removesuffix(" cap 45"), 20.0)
    script.slots = 2
    assert [action.partition(" cap ")[2] for action in script.decide()] == ["25", "25"]


def test_siblings_of_a_dropped_challenger_are_cancelled_and_their_slots_go_to_the_next() -> None:
    script = rung_of_three()
    script.decide()
    script.end("A 1", "capped")
    *cancelled, started = script.decide()
    assert sorted(cancelled) == ["cancel A 0", "cancel A 2"]
    assert re.fullmatch(r"B \d cap 45", started)


def test_a_run_is_cancelled_once() -> None:
    script = rung_of_three()
    script.decide()
    script.end("A 1", "capped")
    assert [action for action in script.decide() if action.startswith("cancel")]
    assert not [action for action in script.decide() if action.startswith("cancel")]


def test_bounds_of_siblings_add_up() -> None:
    """30 and 20 at least are more than the 45 that are allowed."""
    script = rung_of_three()
    script.decide()
    script.end("A 0", "capped at 30")
    script.end("A 2", "capped at 20")
    assert "cancel A 1" in script.decide()


def test_a_bound_of_a_run_that_was_cancelled_from_outside_is_built_upon() -> None:
    """A reached 7 of the 10 that D needed: it is run again, and 8 is the cost of all of it."""
    script = Script("DA")
    script.play(
        """
        D 0 cap 100: 10
        A 0 cap 15: capped at 7
        A 0 cap 15: 8
        """
    )
    assert script.incumbent == "A"
    assert script.engine.incumbent.cost == 8.0


def test_a_dethroned_incumbents_run_is_cancelled() -> None:
    script = Script("DA", n_tasks=2, slots=2)
    assert script.decide() == ["D 0 cap 100", "D 1 cap 100"]
    script.end("D 0", 10.0)
    assert script.decide() == ["A 0 cap 15"]
    script.end("A 0", 5.0)
    assert script.incumbent == "A"
    assert script.decide() == ["cancel D 1", "A 1 cap 100"]


def test_a_run_that_ends_before_its_cancellation_still_counts() -> None:
    script = rung_of_three()
    script.decide()
    script.end("A 1", "capped")
    script.decide()
    script.end("A 0", 3.0)
    assert script.incumbent == "D"
    assert script.engine.totals.runs == 5


def test_what_a_challenger_still_has_to_do_goes_before_new_challengers() -> None:
    script = Script("DABC", n_tasks=2, slots=2, first_rung=2)
    script.decide()
    script.end("D 0", 10.0)
    script.end("D 1", 10.0)
    assert sorted(script.decide()) == ["A 0 cap 30", "A 1 cap 30"]
    script.end("A 0", "lost")
    assert script.decide() == ["A 0 cap 30"]


def test_challengers_are_judged_anew_when_the_incumbent_changes() -> None:
    """B may cost 15 against D, and 6 against A: the 8 that it turns out to need are too many then."""
    script = Script("DAB", slots=2)
    script.decide()
    script.end("D 0", 10.0)
    assert script.decide() == ["A 0 cap 15", "B 0 cap 15"]
    script.end("A 0", 4.0)
    script.end("B 0", 8.0)
    assert script.incumbent == "A"
    assert script.decide() == ["stop: every config has been tried"]


def test_who_cannot_beat_a_new_incumbent_is_cancelled() -> None:
    """B has used up 9 on one of two tasks, where 15 are allowed on both; then A allows 6."""
    script = Script("DAB", n_tasks=2, slots=2, first_rung=2, slack=1.5)
    script.decide()
    script.end("D 0", 5.0)
    script.end("D 1", 5.0)
    assert sorted(script.decide()) == ["A 0 cap 15", "A 1 cap 15"]
    script.end("A 0", 2.0)
    (b,) = script.decide()
    script.end(b.removesuffix(" cap 15"), 9.0)
    (b,) = script.decide()
    assert b in ("B 0 cap 6", "B 1 cap 6")
    script.end("A 1", 2.0)
    assert script.incumbent == "A"
    assert script.decide()[0] == "cancel " + b.removesuffix(" cap 6")


def test_a_slot_that_becomes_free_is_used_at_once() -> None:
    script = Script("DABCEFG", n_tasks=3, slots=4)
    script.decide()
    script.end("D 0", 10.0)
    assert len(script.decide()) == 2
    script.end("A 0", 9.0)
    assert len([action for action in script.decide() if not action.startswith("cancel")]) == 1


def test_no_more_runs_are_started_than_the_budget_allows() -> None:
    script = Script("DABCEF", n_tasks=3, slots=4, budget=Budget(runs=5))
    script.decide()
    script.end("D 0", 10.0)
    script.decide()
    assert len(script.trials) == 4, "one is done, and four may follow"
    script.end("D 1", 10.0)
    assert script.decide() == []


@pytest.mark.parametrize("slots", [1, 2, 5])
def test_with_nothing_left_to_try_it_waits_for_what_is_under_way(slots: int) -> None:
    script = Script("DA", slots=slots)
    script.decide()
    script.end("D 0", 10.0)
    assert script.decide() == ["A 0 cap 15"]
    assert script.decide(slots) == []
    script.end("A 0", 12.0)
    assert script.decide() == ["stop: every config has been tried"]
