"""Readers of the options that solvers print: text in, options by name out. Other lines are skipped."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf

_NUMBER = r"imin|imax|-?inf|-?\d+(?:\.\d+)?(?:e[+-]?\d{1,2})?"
_CADICAL = re.compile(r"^  --([a-z]\w*)=(bool|(-?[\de]+)\.\.(-?[\de]+))\s.*\[(\S+)\]\s*$", re.MULTILINE)
_MINISAT_FLAG = re.compile(r"^  -([a-z][\w-]*), -no-\1\s+\(default: (on|off)\)", re.MULTILINE)
_MINISAT_NUMBER = re.compile(
    rf"^  -([a-z][\w-]*)\s+= <(double|int\d+)>\s+([\[(])\s*({_NUMBER}) \.\.\s+({_NUMBER})([\])])"
    rf" \(default: ({_NUMBER})\)",
    re.MULTILINE,
)
_OPEN = 1e-3  # of the range: an open interval is closed this far from its end


@dataclass(frozen=True, slots=True)
class Option:
    """Bounds and default of an option; a flag is 0 or 1, and written as the scenario's `flags`."""

    lower: float
    default: float
    upper: float
    is_real: bool = False
    is_flag: bool = False

    @property
    def is_choice(self) -> bool:
        """Whether it has so few values that they become choices."""
        return not self.is_real and self.upper - self.lower <= 2


def read_kissat(text: str) -> dict[str, Option]:
    r"""Read `kissat --range`: lines "name lower default upper".

    >>> read_kissat("decay 1 50 200\nc comment\n")["decay"].upper
    200
    """
    options = {}
    for words in map(str.split, text.splitlines()):
        if len(words) == 4 and all(_is_whole(word) for word in words[1:]):
            lower, default, upper = map(_whole, words[1:])
            options[words[0]] = Option(lower, default, upper)
    return options


def read_cadical(text: str) -> dict[str, Option]:
    r"""Read `cadical --help`: lines "--name=bool text [true]" and "--name=0..2e9 text [1e3]".

    >>> read_cadical("  --chrono=0..2   chronological backtracking [1]\n")["chrono"].default
    1
    """
    options = {}
    for name, kind, lower, upper, default in _CADICAL.findall(text):
        if kind == "bool":
            options[name] = Option(0, int(default == "true"), 1)
        elif all(map(_is_whole, (lower, default, upper))):
            options[name] = Option(_whole(lower), _whole(default), _whole(upper))
    return options


def read_minisat(text: str) -> dict[str, Option]:
    r"""Read `minisat --help-verb` and that of its descendants, such as Glucose.

    >>> read_minisat("  -rinc         = <double> (   1 ..  inf) (default: 2)\n")["rinc"].is_real
    True
    """
    options = {}
    for name, default in _MINISAT_FLAG.findall(text):
        options[name] = Option(0, int(default == "on"), 1, is_flag=True)
    for name, kind, opens, low, high, closes, default in _MINISAT_NUMBER.findall(text):
        lower, upper = (_bound(word) for word in (low, high))
        if kind == "double":
            width = upper - lower if upper < inf else max(abs(lower), float(default))
            lower += _OPEN * width * (opens == "(")
            upper -= _OPEN * width * (closes == ")" and upper < inf)
        options[name] = Option(lower, float(default), upper, is_real=kind == "double")
    return {
        name: option for name, option in options.items() if option.lower <= option.default <= option.upper
    }


def _is_whole(word: str) -> bool:
    return re.fullmatch(r"-?\d{1,18}(e\d{1,2})?", word, re.ASCII) is not None


def _whole(word: str) -> int:
    digits, _, exponent = word.partition("e")
    return int(digits) * int(10 ** int(exponent or 0))


def _bound(word: str) -> float:
    return {"imin": -inf, "imax": inf}.get(word) or float(word)


FORMATS: Mapping[str, Callable[[str], dict[str, Option]]] = {
    "kissat": read_kissat,
    "cadical": read_cadical,
    "minisat": read_minisat,
}
