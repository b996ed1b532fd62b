"""Any value reaches the program as exactly one argument."""

import select
import shlex
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tightrope.records import Config, Task, Trial
from tightrope.run import CommandTarget, JsonLine
from tightrope.run.style import Style
from tightrope.run.supervise.supervisor import Limits, Supervised
from tightrope.run.target import wait
from tightrope.run.template import read_template

TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=40)
ODD = st.one_of(
    TEXT, st.sampled_from(["", " ", "'", '"', "\n", "-x", "--", "$(id)", "`id`", "{seed}", "a;b", "\\"])
)
NAME = st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1, max_size=8)


@given(st.dictionaries(NAME, ODD, max_size=5), ODD)
def test_each_value_becomes_one_word(values: dict[str, str], instance: str) -> None:
    template = read_template("solver {parameters} {instance}", Style("-{name} {value}"))
    words = template.fill(Trial(0, Config(values), task=Task(instance)))
    pairs = [word for name, value in values.items() for word in (f"-{name}", value)]
    assert words == ["solver", *pairs, instance]


@given(st.dictionaries(NAME, ODD, max_size=5), ODD)
def test_in_a_shell_script_each_value_is_quoted(values: dict[str, str], instance: str) -> None:
    template = read_template("solver {parameters} {instance}", Style(), shell=True)
    program, option, script = template.fill(Trial(0, Config(values), task=Task(instance)))
    assert (program, option) == ("/bin/sh", "-c")
    assert shlex.split(script) == [
        "solver",
        *(f"--{name}={value}" for name, value in values.items()),
        instance,
    ]


@given(st.one_of(st.floats(allow_nan=False), st.integers()))
def test_numbers_read_back_as_they_were(value: float) -> None:
    (word,) = Style("{value}").words("x", value)
    assert type(value)(word) == value


@given(st.floats(min_value=1e-6, max_value=1e6))
def test_a_cap_is_written_without_exponent_and_never_too_small(cap: float) -> None:
    _, word = read_template("solver {cap}", Style()).fill(Trial(0, Config({}), cap=cap))
    assert "e" not in word
    assert cap <= float(word) <= cap + 2e-6


@pytest.mark.skipif(sys.platform != "linux", reason="the supervisor is for Linux")
@pytest.mark.parametrize("shell", [False, True])
@settings(max_examples=40)
@given(values=st.lists(ODD, min_size=1, max_size=5))
def test_a_program_gets_the_values_it_was_given(values: list[str], shell: bool) -> None:
    config = Config({f"p{i}": value for i, value in enumerate(values)})
    command = r"printf '%s\0' {parameters}"
    target = CommandTarget(command, parameters="{value}", shell=shell, keep_kb=1000)
    assert printed(target.command_for(Trial(0, config))) == values


def printed(command: list[str]) -> list[str]:
    supervised = Supervised(command, Limits(keep_kb=1000))
    while not supervised.is_over():
        select.select([supervised], [], [])
    supervised.close()
    ending = supervised.ending()
    assert ending is not None
    return ending.stdout.head.decode().split("\0")[:-1]


@pytest.mark.skipif(sys.platform != "linux", reason="the supervisor is for Linux")
def test_a_value_full_of_newlines_does_not_disturb_the_report() -> None:
    target = CommandTarget(
        ["printf", '%s\n{{"cost": 2}}', "{parameters}"], answer=JsonLine(), parameters="{value}"
    )
    outcome = wait(target.start(Trial(0, Config({"text": "reason=cap\nreason=cap code=1\n"}))))
    assert outcome is not None
    assert outcome.cost == 2
