"""Valid answers of a function, and the errors for invalid ones."""

from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from functools import partial
from math import inf, nan
from typing import Any

import numpy as np
import pytest

from tightrope import Capped, minimize
from tightrope.errors import TargetError
from tightrope.records import Config, Task, Trial
from tightrope.run.function.call import Failure, Function, split_note
from tightrope.run.function.reply import Answer

TRIAL = Trial(0, Config({"x": 0.5}), cap=4.0)


def ask(f: Callable[..., Any]) -> Answer | Failure:
    return Function(f).evaluate(TRIAL)


def give(answer: object) -> Answer | Failure:
    return ask(lambda config, cap: answer)


@pytest.mark.parametrize(
    "number", [3, 3.0, np.float32(3), np.int64(3), np.array(3.0), Decimal(3), Fraction(3)], ids=repr
)
def test_every_sort_of_number_is_a_cost(number: object) -> None:
    answer = give(number)
    assert answer == Answer(3.0)
    assert isinstance(answer, Answer)
    assert type(answer.cost) is float


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        (None, "returned None"),
        (True, "returned True, a bool,"),
        (np.True_, "a bool"),
        ("3", "returned '3', a str,"),
        ([3.0], "a list"),
        (np.array([3.0]), "a ndarray"),
        (np.array(True), "a ndarray"),
        (3j, "a complex"),
        (nan, "returned nan"),
        (inf, "returned inf"),
        (-inf, "returned -inf"),
        ({"cost": 3}, "a dict"),
    ],
)
def test_what_is_no_cost_is_refused_with_the_config_and_a_hint(answer: object, shown: str) -> None:
    with pytest.raises(TargetError) as caught:
        give(answer)
    assert str(caught.value).startswith("config {'x': 0.5}: ")
    assert shown in str(caught.value)
    assert "return the cost as a number" in caught.value.hint
    assert caught.value.config == {"x": 0.5}


def test_a_long_answer_is_not_shown_in_full() -> None:
    with pytest.raises(TargetError) as caught:
        give("much ado about nothing " * 1000)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(("cost", "hint"), [(0.0, "log=False"), (-1.0, "log=False")])
def test_costs_without_a_logarithm_are_refused(cost: float, hint: str) -> None:
    with pytest.raises(TargetError, match=r"config \{'x': .*no logarithm") as caught:
        minimize(lambda config, cap: cost, {"x": (0.0, 1.0)}, budget=10)
    assert hint in caught.value.hint


def test_costs_below_zero_cannot_be_charged() -> None:
    with pytest.raises(TargetError, match="neither be capped nor charged"):
        minimize(lambda config, cap: -1.0, {"x": (0.0, 1.0)}, budget=10, log=False)


def test_an_answer_that_cannot_be_used_leaves_the_runs_before_it() -> None:
    costs = iter([3.0, 2.0, nan])
    with pytest.raises(TargetError) as caught:
        minimize(lambda config, cap: next(costs), {"x": (0.0, 1.0)}, budget=100, first_cap=50.0)
    assert [run.outcome.cost for run in caught.value.history.runs] == [3.0, 2.0]


class TestCapped:
    def test_at_its_cap_or_above_is_a_bound(self) -> None:
        assert give(Capped(at=4.0)) == Answer(4.0, capped=True)
        assert give(Capped(at=5)) == Answer(5.0, capped=True)

    def test_below_its_cap_is_refused(self) -> None:
        with pytest.raises(
            TargetError, match=r"\{'x': 0.5\}: returned Capped\(at=3\), which is below its cap of 4"
        ):
            give(Capped(at=3.0))

    @pytest.mark.parametrize("at", [nan, inf, None, "4"])
    def test_at_no_number_is_refused(self, at: Any) -> None:
        with pytest.raises(TargetError, match="was capped at"):
            give(Capped(at=at))

    def test_a_cost_above_the_cap_is_a_cost(self) -> None:
        assert give(9.0) == Answer(9.0)


class TestPartialCosts:
    def test_the_last_is_the_cost(self) -> None:
        assert give(iter([1.0, 2.0, 3.0])) == Answer(3.0)

    def test_the_function_is_stopped_at_the_first_that_reaches_the_cap_and_tidies_up(self) -> None:
        story: list[str] = []

        def f(config: dict[str, float], cap: float) -> Iterator[float]:
            try:
                for cost in (3.0, 4.5, 6.0):
                    story.append(f"at {cost}")
                    yield cost
            finally:
                story.append("tidied up")

        assert ask(f) == Answer(4.5, capped=True)
        assert story == ["at 3.0", "at 4.5", "tidied up"]

    def test_a_value_that_is_returned_is_the_cost(self) -> None:
        def f(config: dict[str, float], cap: float) -> Any:
            yield 1.0
            return 1.5

        assert ask(f) == Answer(1.5)

    def test_less_than_before_is_refused_and_the_function_tidies_up(self) -> None:
        story: list[str] = []

        def f(config: dict[str, float], cap: float) -> Iterator[float]:
            try:
                yield from (2.0, 1.0)
            finally:
                story.append("tidied up")

        with pytest.raises(TargetError, match=r"\{'x': 0.5\}: yielded a partial cost of 1 after 2"):
            ask(f)
        assert story == ["tidied up"]

    def test_the_same_as_before_is_fine(self) -> None:
        assert give(iter([1.0, 1.0, 2.0])) == Answer(2.0)

    def test_returning_less_than_was_spent_is_refused(self) -> None:
        def f(config: dict[str, float], cap: float) -> Any:
            yield 2.0
            return 1.0

        with pytest.raises(TargetError, match="returned 1 after a partial cost of 2"):
            ask(f)

    @pytest.mark.parametrize("partial_cost", [None, nan, "1", -1.0, True])
    def test_one_that_is_no_cost_is_refused(self, partial_cost: object) -> None:
        with pytest.raises(TargetError, match=r"\{'x': 0.5\}: yielded"):
            give(iter([partial_cost]))

    def test_none_at_all_is_refused(self) -> None:
        with pytest.raises(TargetError, match="returned None"):
            give(iter([]))

    def test_what_is_raised_between_them_is_a_failure_that_has_spent(self) -> None:
        def f(config: dict[str, float], cap: float) -> Iterator[float]:
            yield 2.0
            raise OSError("disk full")

        failure = ask(f)
        assert isinstance(failure, Failure)
        assert (failure.error, failure.spent) == ("OSError: disk full", 2.0)

    def test_what_is_raised_while_tidying_up_is_a_failure(self) -> None:
        def f(config: dict[str, float], cap: float) -> Iterator[float]:
            try:
                yield 5.0
            finally:
                raise OSError("disk full")

        failure = ask(f)
        assert isinstance(failure, Failure)
        assert failure.spent == 5.0


class TestSignatures:
    @pytest.mark.parametrize(
        "f",
        [
            lambda config, cap: cap,
            lambda config, kappa: kappa,
            lambda config, cap=9.0: cap,
            lambda config, *, cap: cap,
            lambda *arguments: arguments[1],
            partial(lambda scale, config, cap: cap, 2),
        ],
    )
    def test_the_cap_arrives(self, f: Callable[..., Any]) -> None:
        assert ask(f) == Answer(4.0)
        assert Function(f).takes_cap

    def test_an_option_is_not_mistaken_for_the_cap(self) -> None:
        assert ask(lambda config, scale=2.0: scale) == Answer(2.0)

    def test_a_function_of_the_config_alone_gets_just_that(self) -> None:
        assert ask(lambda config: config["x"]) == Answer(0.5)

    @pytest.mark.parametrize("f", [lambda: 1.0, lambda a, b, c: 1.0, 5])
    def test_others_are_refused_before_anything_is_run(self, f: Any) -> None:
        with pytest.raises(TargetError, match=r"f\(config, cap\)|\(config, cap\)"):
            Function(f)

    def test_instance_and_seed_are_passed_by_name(self) -> None:
        trial = Trial(0, Config({"x": 0.5}), cap=4.0, task=Task("ab", seed=7))
        assert Function(lambda config, seed, instance: 10 * len(instance) + seed).evaluate(trial) == Answer(
            27.0
        )
        assert Function(lambda config, instance, cap: len(instance) + cap).evaluate(trial) == Answer(6.0)

    def test_an_option_called_seed_keeps_its_default_unless_there_are_tasks(self) -> None:
        function = Function(lambda config, cap, seed=3: seed)
        assert function.evaluate(TRIAL) == Answer(3.0)
        task = Trial(0, Config({"x": 0.5}), cap=4.0, task=Task("ab", seed=7))
        assert function.evaluate(task) == Answer(7.0)


def test_a_note_is_split_into_what_went_wrong_and_where() -> None:
    def f(config: dict[str, float]) -> float:
        raise RuntimeError("first line\nsecond line")

    failure = ask(f)
    assert isinstance(failure, Failure)
    assert split_note(failure.note) == (failure.error, failure.traceback)
    assert split_note("exit code 3") == ("exit code 3", "exit code 3")


def test_a_note_is_not_as_long_as_an_exception_may_be() -> None:
    def f(config: dict[str, float]) -> float:
        raise RuntimeError("x" * 100_000 + " in the end")

    failure = ask(f)
    assert isinstance(failure, Failure)
    error, traceback = split_note(failure.note)
    assert error.startswith("RuntimeError: xxx")
    assert traceback.rstrip().endswith("in the end")
    assert len(failure.note) < 6000
