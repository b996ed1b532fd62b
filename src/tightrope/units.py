"""Durations and sizes as people write them: "90s", "1h 30m", "2GB"."""

import re
from collections.abc import Mapping
from math import inf, isfinite

from tightrope.errors import TightropeError

_DURATIONS_S: Mapping[str, float] = {
    **dict.fromkeys(("ms", "millisecond", "milliseconds"), 0.001),
    **dict.fromkeys(("s", "sec", "second", "seconds"), 1.0),
    **dict.fromkeys(("m", "min", "minute", "minutes"), 60.0),
    **dict.fromkeys(("h", "hour", "hours"), 3600.0),
    **dict.fromkeys(("d", "day", "days"), 86400.0),
    **dict.fromkeys(("w", "week", "weeks"), 604800.0),
}
_SIZES_MB: Mapping[str, float] = {
    "b": 1e-6,
    **{f"{prefix}b": 10.0 ** (3 * power - 6) for power, prefix in enumerate("kmgt", start=1)},
    **{f"{prefix}ib": 1024.0**power / 1e6 for power, prefix in enumerate("kmgt", start=1)},
}
_NUMBER = r"[0-9]+\.?[0-9]*|\.[0-9]+"
_PART = re.compile(rf"\s*({_NUMBER})\s*([A-Za-z]+)\s*", re.ASCII)
_DURATION_HINT = "write it like '90s', '10m', '1h 30m' or '2d'"
_SIZE_HINT = "write it like '500MB', '2GB' or '2GiB'"


class UnitError(TightropeError, ValueError):
    """A duration or size that cannot be parsed.

    Examples
    --------
    >>> print(UnitError("'8' has no unit", hint="write it like '90s'"))
    '8' has no unit; write it like '90s'
    """


def parse_duration(text: str) -> float:
    """Parse a duration and return it in seconds.

    Parameters
    ----------
    text : str
        Numbers with units: ms, s, m, h, d, w, or their full names. The parts are summed, and no unit may
        appear twice.

    Returns
    -------
    float
        Seconds, at least 0.

    Raises
    ------
    UnitError
        If the text is not a duration.

    Examples
    --------
    >>> parse_duration("300s"), parse_duration("1h 30m"), parse_duration("1.5 hours")
    (300.0, 5400.0, 5400.0)
    """
    return _parse(text, _DURATIONS_S, what="duration", of="time", hint=_DURATION_HINT)


def parse_size(text: str) -> float:
    """Parse a size and return it in MB (10**6 bytes).

    Parameters
    ----------
    text : str
        A number with a unit: B, KB, MB, GB, TB (powers of 1000) or KiB, MiB, GiB, TiB (powers of 1024).

    Returns
    -------
    float
        MB, at least 0.

    Raises
    ------
    UnitError
        If the text is not a size.

    Examples
    --------
    >>> parse_size("2GB"), parse_size("500 kB")
    (2000.0, 0.5)
    """
    return _parse(text, _SIZES_MB, what="size", of="memory", hint=_SIZE_HINT)


def write_duration(duration_s: float) -> str:
    """Format seconds exactly, in the largest unit that gives a whole number.

    Parameters
    ----------
    duration_s : float
        Seconds, finite and not negative.

    Returns
    -------
    str
        Text that `parse_duration` turns back into the same number.

    Examples
    --------
    >>> write_duration(28800.0), write_duration(90.0), write_duration(0.05)
    ('8h', '90s', '0.05s')
    """
    if not (isfinite(duration_s) and duration_s >= 0):
        raise UnitError(f"{duration_s} is not a duration", hint="pass a number of seconds")
    for unit in ("d", "h", "m"):
        if duration_s and duration_s % _DURATIONS_S[unit] == 0:
            return f"{duration_s / _DURATIONS_S[unit]:.0f}{unit}"
    return f"{_write(duration_s)}s"


def write_size(size_mb: float) -> str:
    """Format a size in MB exactly; `parse_size` turns it back into the same number.

    Examples
    --------
    >>> write_size(2000.0), write_size(0.5)
    ('2000MB', '0.5MB')
    """
    return f"{_write(size_mb)}MB"


def _write(number: float) -> str:
    """Format a number exactly, without an exponent."""
    text = repr(float(number))
    if "e" in text:
        text = f"{number:.400f}".rstrip("0") if number < 1 else f"{number:.0f}"
    return text.removesuffix(".0").removesuffix(".")


def _parse(text: str, units: Mapping[str, float], *, what: str, of: str, hint: str) -> float:
    total, position, used = 0.0, 0, set[float]()
    while position < len(text):
        found = _PART.match(text, position)
        if found is None:
            raise _error_of(text, position, what=what, hint=hint)
        unit = units.get(found[2].lower())
        if unit is None:
            raise UnitError(f"{found[2]!r} is not a unit of {of}", hint=hint)
        if unit in used:
            raise UnitError(f"{text!r} has the unit {found[2]!r} twice", hint=hint)
        used.add(unit)
        total += float(found[1]) * unit
        position = found.end()
    if not used or total == inf:
        raise UnitError(f"{text!r} is not a {what}", hint=hint)
    return total


def _error_of(text: str, position: int, *, what: str, hint: str) -> UnitError:
    rest = text[position:].strip()
    if re.fullmatch(_NUMBER, rest, re.ASCII):
        return UnitError(f"{text!r} has no unit after {rest}", hint=hint)
    if rest.startswith("-"):
        return UnitError(f"{text!r} is negative", hint=hint)
    return UnitError(f"{text!r} is not a {what}", hint=hint)
