"""Durations and sizes with units."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tightrope.units import UnitError, parse_duration, parse_size, write_duration, write_size


@pytest.mark.parametrize(
    ("text", "expected_s"),
    [
        ("300s", 300.0),
        ("1h 30m", 5400.0),
        ("1h30m", 5400.0),
        (" 2 d ", 172800.0),
        (".5s", 0.5),
        ("50ms", 0.05),
        ("1 Hour 1 minute", 3660.0),
        ("0s", 0.0),
    ],
)
def test_durations_are_read(text: str, expected_s: float) -> None:
    assert parse_duration(text) == pytest.approx(expected_s)


@pytest.mark.parametrize(
    ("text", "expected_mb"),
    [("2GB", 2000.0), ("2GiB", 2147.483648), ("500 kB", 0.5), ("1.5tb", 1.5e6), ("1000000B", 1.0)],
)
def test_sizes_are_read(text: str, expected_mb: float) -> None:
    assert parse_size(text) == pytest.approx(expected_mb)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("300", "'300' has no unit after 300"),
        ("1h 30", "'1h 30' has no unit after 30"),
        ("-5s", "'-5s' is negative"),
        ("8x", "'x' is not a unit of time"),
        ("1h 2h", "'1h 2h' has the unit 'h' twice"),
        ("", "'' is not a duration"),
        ("soon", "'soon' is not a duration"),
        ("1e5s", "'e' is not a unit of time"),
        ("9" * 400 + "d", f"'{'9' * 400}d' is not a duration"),
    ],
)
def test_text_that_is_not_a_duration_is_explained(text: str, problem: str) -> None:
    with pytest.raises(UnitError) as caught:
        parse_duration(text)
    assert caught.value.problem == problem
    assert caught.value.hint == "write it like '90s', '10m', '1h 30m' or '2d'"


def test_a_size_without_a_unit_is_refused() -> None:
    with pytest.raises(UnitError, match="'512' has no unit after 512; write it like '500MB'"):
        parse_size("512")


@given(st.floats(0, 1e300))
def test_a_duration_that_was_written_is_read_again(duration_s: float) -> None:
    assert parse_duration(write_duration(duration_s)) == pytest.approx(duration_s, rel=1e-12)


@given(st.floats(0, 1e300))
def test_a_size_that_was_written_is_read_again(size_mb: float) -> None:
    assert parse_size(write_size(size_mb)) == pytest.approx(size_mb, rel=1e-12)


@given(st.text())
def test_any_text_is_a_number_of_seconds_or_explained(text: str) -> None:
    with suppress(UnitError):
        assert parse_duration(text) >= 0


@pytest.mark.parametrize("duration_s", [-1.0, float("inf"), float("nan")])
def test_only_durations_are_written(duration_s: float) -> None:
    with pytest.raises(UnitError, match="is not a duration"):
        write_duration(duration_s)
