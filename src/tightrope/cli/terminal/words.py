"""Format numbers, durations, commands and configs as text: pure functions."""

import re
import shlex
import textwrap
from collections.abc import Mapping
from math import floor, inf, isnan, log10
from typing import Any

from tightrope.cli.terminal.output import one_line

_MINUTE_S, _HOUR_S, _DAY_S = 60, 3600, 86400
_LARGEST_PLAIN = 1e15  # larger numbers are written with an exponent
# Spaces where no line is wrapped: in "x = 1 (2)", ">= 3x" and "1.92 s".
_TIGHT = re.compile(r"(?<==) | (?=[=(])|(?<=\d) (?=(?:ms|[smhd%])(?!\w))")
_HARD_SPACE = "\N{NO-BREAK SPACE}"


def number(value: float, digits: int = 3) -> str:
    """Format a number with the given significant digits and a space between thousands.

    >>> number(1.9234), number(0.0), number(12345.6), number(1204), number(0.000123456)
    ('1.92', '0', '12 300', '1 200', '0.000123')
    """
    if isnan(value):
        return "unknown"
    if value in (inf, -inf):
        return "infinite" if value > 0 else "-infinite"
    if value == 0:
        return "0"
    size = floor(log10(abs(value)))
    rounded = round(value, digits - 1 - size)
    if not 1e-6 <= abs(rounded) < _LARGEST_PLAIN:
        return f"{value:.{digits - 1}e}"
    decimals = max(0, digits - 1 - floor(log10(abs(rounded))))
    return f"{rounded:,.{decimals}f}".replace(",", " ")


def command(verb: str, path: object) -> str:
    """Write a tightrope command for a file or folder, ready to paste into a shell.

    >>> command("resume", "runs/spear"), command("best", "my runs/a"), command("check", "-x.toml")
    ('tightrope resume runs/spear', "tightrope best 'my runs/a'", 'tightrope check ./-x.toml')
    """
    plain = str(path)
    return shlex.join(["tightrope", verb, f"./{plain}" if plain.startswith("-") else plain])


def count(n: int, noun: str, plural: str = "") -> str:
    """Format a count with its noun.

    >>> count(1, "task"), count(1204, "run"), count(2, "entry", "entries")
    ('1 task', '1 204 runs', '2 entries')
    """
    return f"{n:,d}".replace(",", " ") + f" {noun if n == 1 else plural or noun + 's'}"


def share(part: float, whole: float) -> str:
    """Format a share in per cent; 0 and 100 appear only where they are exact.

    >>> share(71, 100), share(1, 1000), share(999, 1000), share(0, 0)
    ('71 %', '< 1 %', '> 99 %', '0 %')
    """
    if whole <= 0 or part <= 0:
        return "0 %"
    percent = 100.0 * part / whole
    if percent < 1:
        return "< 1 %"
    if 99 < percent < 100:
        return "> 99 %"
    return f"{percent:.0f} %"


def duration(seconds: float) -> str:
    """Format a duration: three significant digits below a minute, two units above.

    >>> duration(1.9234), duration(0.0412), duration(252.0), duration(7500.0), duration(200000.0)
    ('1.92 s', '41.2 ms', '4 m 12 s', '2 h 05 m', '2 d 08 h')
    """
    if not abs(seconds) < inf:
        return number(seconds)
    if seconds < 0:
        return "-" + duration(-seconds)
    if seconds == 0:
        return "0 s"
    if seconds < 0.9995:
        return f"{number(1000.0 * seconds)} ms"
    if seconds < _MINUTE_S - 0.05:
        return f"{number(seconds)} s"
    whole = round(seconds)
    if whole < _HOUR_S:
        return f"{whole // _MINUTE_S} m {whole % _MINUTE_S:02d} s"
    minutes = round(seconds / _MINUTE_S)
    if minutes < _DAY_S // _MINUTE_S:
        return f"{minutes // 60} h {minutes % 60:02d} m"
    hours = round(seconds / _HOUR_S)
    return f"{hours // 24:,d} d {hours % 24:02d} h".replace(",", " ")


def clock(seconds: float) -> str:
    """Format a duration as a clock.

    >>> clock(41.9), clock(2467.0), clock(3600.0)
    ('0:41', '41:07', '1:00:00')
    """
    if not abs(seconds) < inf:
        return number(seconds)
    minutes, rest = divmod(int(seconds), _MINUTE_S)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def cost(value: float, *, is_time: bool) -> str:
    """Format a cost: as a duration if it is a time, else as a number.

    >>> cost(1.9234, is_time=True), cost(1.9234, is_time=False)
    ('1.92 s', '1.92')
    """
    return duration(value) if is_time else number(value)


def times(ratio: float, *, is_bound: bool = False) -> str:
    """Format a ratio of costs; a lower bound is marked.

    >>> times(4.123), times(3.1, is_bound=True)
    ('4.12x', '>= 3.1x')
    """
    text = number(ratio)
    if "." in text and "e" not in text:
        text = text.rstrip("0").rstrip(".")
    return f"{'>= ' if is_bound else ''}{text}x"


def value(what: Any) -> str:
    """Format the value of a parameter.

    >>> value(True), value(0.1234567), value("abc"), value(12000)
    ('true', '0.1235', 'abc', '12000')
    """
    if isinstance(what, bool):
        return "true" if what else "false"
    return f"{what:.4g}" if isinstance(what, float) else one_line(str(what))


def differences(config: Mapping[str, Any], default: Mapping[str, Any]) -> list[str]:
    """List the parameters in which a config differs from the default, with the default in brackets.

    A parameter that is missing in one of the two is inactive there.

    >>> differences({"x": 0.5, "y": "a"}, {"x": 1.0, "y": "a", "z": 3})
    ['x = 0.5 (1)', 'z unused (3)']
    """
    texts = []
    for name in [*config, *(name for name in default if name not in config)]:
        before = value(default[name]) if name in default else "unused"
        if name not in config:
            texts.append(f"{name} unused ({before})")
        elif name not in default or config[name] != default[name]:
            texts.append(f"{name} = {value(config[name])} ({before})")
    return texts


def listed(parts: list[str], most: int) -> str:
    """Join the first parts with commas, and count the rest.

    >>> listed(["a", "b", "c"], most=2), listed(["a"], most=2)
    ('a, b and 1 more', 'a')
    """
    if len(parts) <= most:
        return ", ".join(parts)
    return f"{', '.join(parts[:most])} and {len(parts) - most} more"


def folded(text: str, width: int, indent: int = 0) -> str:
    """Wrap long lines at spaces and indent what follows; a number stays with its unit.

    >>> print(folded("#1  2.00 s on 2 tasks:  x = 0.5 (1), y = 0.25 (8)", width=30, indent=4))
    #1  2.00 s on 2 tasks:
        x = 0.5 (1), y = 0.25 (8)
    """
    return "\n".join(
        textwrap.fill(
            _TIGHT.sub(_HARD_SPACE, line),
            width,
            subsequent_indent=" " * indent,
            break_long_words=False,
            break_on_hyphens=False,
        ).replace(_HARD_SPACE, " ")
        for line in text.split("\n")
    )
