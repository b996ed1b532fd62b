"""When challengers are selected, as scripts: after so many runs, and not before the last one is paid."""

from dataclasses import replace

import pytest

from engine_script import Script
from random_tuning import Tuning, World, of_space

NAMES = "DABCEFGHIJKLMNO"


def selections(script: Script, n_runs: int) -> list[int]:
    """Let D need 10 s and everybody else be capped; return after how many runs challengers were selected."""
    after = []
    for n in range(n_runs):
        (action,) = script.decide()
        if script.selected:
            after.append(n)
        run = action.partition(" cap ")[0]
        script.end(run, 10.0 if run.startswith("D") else "capped")
    return after


def test_challengers_are_selected_anew_after_a_number_of_runs() -> None:
    assert selections(Script(NAMES, fewest_runs=3, growth=0.0, n_design=1), 11) == [1, 2, 5, 8]


def test_the_first_challengers_are_all_tried_before_others_are_selected() -> None:
    """Be there ever so much to learn from their runs: they are to show where in the space to look."""
    assert selections(Script(NAMES, fewest_runs=3, growth=0.0, n_design=6), 14) == [1, 7, 10, 13]


def test_the_more_is_known_the_rarer_selections_are() -> None:
    """Each time half as many runs as there were results must have been added."""
    assert selections(Script(NAMES, fewest_runs=1, growth=0.5, n_design=1), 12) == [1, 2, 3, 5, 8]


def test_no_challengers_are_selected_while_deciding_has_taken_longer_than_running() -> None:
    """Three runs take 45 s, a decision 20 s: what was decided since is paid by the runs since, or not yet."""
    script = Script(NAMES, fewest_runs=3, growth=0.0, n_design=1)
    script.overhead_s = 20.0
    assert selections(script, 12) == [1, 2]


def test_runs_that_take_as_long_as_deciding_pay_for_it() -> None:
    script = Script(NAMES, fewest_runs=3, growth=0.0, n_design=1)
    script.overhead_s = 15.0
    assert selections(script, 11) == [1, 2, 5, 8]


def test_selected_are_those_who_have_not_been_tried() -> None:
    script = Script("DABCE", fewest_runs=2, growth=0.0, n_design=1)
    script.play("D 0 cap 100: 10")
    script.play("A 0 cap 15: capped")
    assert script.selected == "A"
    script.play("B 0 cap 15: capped")
    assert script.selected == "BCE"
    script.play("C 0 cap 15: capped")
    assert script.selected == ""
    script.decide()
    assert script.selected == "E"


def test_initial_configs_come_before_the_design_in_their_order() -> None:
    script = Script("DABCEFG", n_design=2, initial="FC")
    script.play("D 0 cap 100: 10")
    script.play("F 0 cap 15: capped")
    assert script.selected == "FCAB"
    script.play("C 0 cap 15: 8")
    assert script.incumbent == "C"
    script.play("A 0 cap 12: capped")


def test_an_initial_config_that_is_in_the_design_is_tried_once() -> None:
    script = Script("DABC", n_design=3, initial="B")
    script.play("""
        D 0 cap 100: 10
        B 0 cap 15: capped
        A 0 cap 15: capped
        C 0 cap 15: capped
        stop: every config has been tried
    """)


def test_an_initial_config_that_is_the_default_is_not_tried_again() -> None:
    script = Script("DA", initial="DA")
    script.play("D 0 cap 100: 10")
    script.play("A 0 cap 15: capped")
    assert script.selected == "A"


@pytest.mark.parametrize("seed", [0, 1])
def test_a_model_that_is_not_paid_is_not_asked(seed: int) -> None:
    """Decisions that take for ever leave nothing but random challengers."""
    plan = of_space(runs=60, n_design=3)
    slow, random = (
        [decided.challengers for decided in Tuning(one, World(seed), overhead_s=1e9).decisions()]
        for one in (plan, replace(plan, model=None))
    )
    quick = [decided.challengers for decided in Tuning(plan, World(seed), overhead_s=0.0).decisions()]
    assert slow == random
    assert slow != quick
