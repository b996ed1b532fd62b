"""Options as solvers print them."""

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tightrope.scenario.solvers.printed import FORMATS, Option, read_cadical, read_kissat, read_minisat

CADICAL = """
  --help         print this complete list of all options
  --arena=bool               allocate clauses in arena [true]
  --blockmaxclslim=1..2e9    maximum clause size [1e5]
  --chrono=0..2              chronological backtracking [1]
  --elimboundmax=-1..2e6     maximum elimination bound [16]
"""
MINISAT = """
  -luby, -no-luby                         (default: on)
  -rnd-init, -no-rnd-init                 (default: off)
  -var-decay    = <double> (   0 ..    1) (default: 0.95)
  -rinc         = <double> (   1 ..  inf) (default: 2)
  -rfirst       = <int32>  [   1 .. imax] (default: 100)
  -grow         = <int32>  [imin .. imax] (default: 0)
  -dimacs     = <string>
"""


def test_kissat_prints_bounds_around_the_default() -> None:
    assert read_kissat("decay 1 50 200\nstable 0 1 2\n") == {
        "decay": Option(1, 50, 200),
        "stable": Option(0, 1, 2),
    }


def test_cadical_prints_ranges_with_exponents() -> None:
    assert read_cadical(CADICAL) == {
        "arena": Option(0, 1, 1),
        "blockmaxclslim": Option(1, 100_000, 2_000_000_000),
        "chrono": Option(0, 1, 2),
        "elimboundmax": Option(-1, 16, 2_000_000),
    }


def test_minisat_prints_flags_and_open_intervals() -> None:
    found = read_minisat(MINISAT)
    assert found["luby"] == Option(0, 1, 1, is_flag=True)
    assert found["rnd-init"] == Option(0, 0, 1, is_flag=True)
    assert 0.0 < found["var-decay"].lower < 0.95 < found["var-decay"].upper < 1.0
    assert found["rinc"].lower > 1.0
    assert found["rinc"].upper == inf
    assert found["rfirst"] == Option(1, 100, inf)
    assert found["grow"] == Option(-inf, 0, inf)
    assert "dimacs" not in found


@pytest.mark.parametrize("form", FORMATS)
@given(text=st.text())
def test_whatever_a_program_prints_is_read(form: str, text: str) -> None:
    FORMATS[form](text)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    "line",
    [
        "decay 1 \N{ARABIC-INDIC DIGIT FIVE} 200",
        "decay 1 50 " + "9" * 5000,
        "  --chrono=0..9e999999   text [1]",
        "  --chrono=0..--2   text [1]",
        "  -rinc         = <double> (   x ..  inf) (default: 2)",
        "  -rinc         = <double> (   1 ..  2) (default: nan)",
    ],
)
def test_lines_that_are_no_options_are_skipped(form: str, line: str) -> None:
    assert FORMATS[form](f"{line}\n") == {}
