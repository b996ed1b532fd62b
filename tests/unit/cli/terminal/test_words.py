"""Numbers, durations and configs as text."""

from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tightrope.cli.terminal import words


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.9234, "1.92"),
        (0.0, "0"),
        (-2.5, "-2.50"),
        (999.6, "1 000"),
        (12345.6, "12 300"),
        (9.999, "10.0"),
        (0.00012345, "0.000123"),
        (1e-9, "1.00e-09"),
        (1e20, "1.00e+20"),
        (inf, "infinite"),
        (nan, "unknown"),
    ],
)
def test_numbers_have_three_significant_digits(value: float, text: str) -> None:
    assert words.number(value) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "0 s"),
        (0.0000412, "0.0412 ms"),
        (0.9994, "999 ms"),
        (0.9996, "1.00 s"),
        (1.92, "1.92 s"),
        (59.94, "59.9 s"),
        (59.96, "1 m 00 s"),
        (252.0, "4 m 12 s"),
        (3599.6, "1 h 00 m"),
        (7500.0, "2 h 05 m"),
        (86399.0, "1 d 00 h"),
        (-3.0, "-3.00 s"),
        (inf, "infinite"),
    ],
)
def test_durations_have_units(seconds: float, text: str) -> None:
    assert words.duration(seconds) == text


@given(st.floats(min_value=1e-6, max_value=1e9))
def test_a_duration_never_shows_sixty_of_the_smaller_unit(seconds: float) -> None:
    text = words.duration(seconds)
    assert " 60 " not in f" {text} "
    assert "1 000 ms" not in text


@pytest.mark.parametrize(
    ("part", "whole", "text"), [(1, 300, "< 1 %"), (299, 300, "> 99 %"), (3, 3, "100 %")]
)
def test_a_share_is_rounded_to_nothing_or_all_only_if_it_is(part: int, whole: int, text: str) -> None:
    assert words.share(part, whole) == text


def test_a_bound_of_a_ratio_says_so() -> None:
    assert words.times(3.1, is_bound=True) == ">= 3.1x"


def test_a_parameter_that_only_the_default_uses_is_listed() -> None:
    assert words.differences({"kind": "a"}, {"kind": "b", "x": 2}) == ["kind = a (b)", "x unused (2)"]


def test_a_parameter_that_only_the_config_uses_is_listed() -> None:
    assert words.differences({"kind": "a", "y": 0.25}, {"kind": "a"}) == ["y = 0.25 (unused)"]
