"""irace files: writing and reading gives the same space, and no text crashes the reader."""

from typing import Any

from ConfigSpace import ConfigurationSpace
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from random_spaces import assert_same, spaces
from tightrope.errors import ScenarioError
from tightrope.scenario import parse_irace, write_irace
from tightrope.space import Space

few = settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow])
many = settings(max_examples=300)

SAMPLE = """\
# name      switch            type  domain              condition
algorithm   "--"              c     (as, mmas, "e a s")
level       "--level="        o     (low, mid, high)
ants        "--ants "         i,log (5, 100)
rho         "--rho "          r     (0.01, 1.00)
q0          "--q0 "           r     (0.0, 1.0)          | algorithm %in% c("mmas", "e a s") & ants > 6
nnls        "--nnls "         i     (5, 50)             | (level != "low" | !(rho <= 0.5)) & 'as' == algorithm
dlb         "--dlb="          c     (0, 1)              | nnls != 7
[forbidden]
algorithm == "mmas" & (nnls == 5 | rho < 0.02)
ants < nnls
[global]
digits = 4
"""
VOCABULARY = [
    *("a", "b", "c", "i", "r", "o", "x", "1", "10", "0.5", "1e-3", "1e300", "-", "+", "5L", "TRUE", "if"),
    *("(", ")", ",", "|", "||", "&", "&&", "!", "=", "==", "!=", "<", "<=", ">", ">=", " %in% ", "c(", "%"),
    *(" ", "\t", "\n", "\r\n", "#", "\u00a0", "\ufeff", "\x00", '"', "'", "\\", '""', '"x"', "[forbidden]"),
    *("[global]\n", "digits = 4", ",log", 'a "" c (x, y)\n', 'b "-b " i (1, 10)\n', '| a == "x"\n'),
]


choices = st.lists(
    st.text(st.sampled_from("abc019 _-+.,'()|&"), max_size=4), min_size=2, max_size=4, unique=True
)


def defaults_of(space: ConfigurationSpace) -> dict[str, Any]:
    return {name: parameter.default_value for name, parameter in space.items()}


@few
@given(spaces(choices), st.integers(0, 2**32 - 1))
def test_writing_and_reading_gives_the_same_space(space: ConfigurationSpace, seed: int) -> None:
    assert_same(space, parse_irace(write_irace(space), default=defaults_of(space)), seed)


def read_or_explain(text: str) -> None:
    """Read a text; any exception other than ScenarioError fails the test."""
    try:
        space = parse_irace(text)
    except ScenarioError as error:
        check_places(text, error)
    else:
        Space(space)
        assert parse_irace(write_irace(space)) == space


def check_places(text: str, error: ScenarioError) -> None:
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for fault in error.faults:
        if fault.line is not None and fault.column is not None:
            assert fault.excerpt == lines[fault.line - 1]
            assert 1 <= fault.column <= len(fault.excerpt) + 1


@many
@given(st.text())
def test_any_text_is_read_or_explained(text: str) -> None:
    read_or_explain(text)


@many
@given(st.lists(st.sampled_from(VOCABULARY), max_size=40).map("".join))
def test_any_sequence_of_words_is_read_or_explained(text: str) -> None:
    read_or_explain(text)


@many
@given(st.lists(st.sampled_from(VOCABULARY), max_size=15).map("".join))
def test_any_condition_is_read_or_explained(expression: str) -> None:
    read_or_explain(f'a "" c (x, y)\nb "" i (1, 10)\nr "" r (0, 1)\nx "" c (1, 2) | {expression}')


@many
@given(st.data())
def test_a_damaged_file_is_read_or_explained(data: st.DataObject) -> None:
    text = SAMPLE
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.sampled_from([0, 0, 1, 1, 2, 5, 30])))
        text = text[:start] + data.draw(st.sampled_from(["", *VOCABULARY])) + text[end:]
    read_or_explain(text)
