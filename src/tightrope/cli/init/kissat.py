"""Parameters of Kissat, from the output of `kissat --range`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ConfigSpace import Categorical, ConfigurationSpace, EqualsCondition, Integer
from ConfigSpace.hyperparameters import Hyperparameter

# Options that change how fast an instance is solved, not the result, the output or the limits.
CHOSEN = (
    "congruence", "decay", "eliminate", "eliminatebound", "preprocess", "probe", "reduceint", "reducelow",
    "rephaseint", "restartint", "restartmargin", "stable", "sweep", "target", "tier1", "tier2", "vivify",
    "walkeffort",
)  # fmt: skip
_REQUIRES = {"eliminatebound": "eliminate"}  # options that have no effect while another is 0
_FAR = 100  # times the default: larger values never pay off
_WIDE = 100  # a range wider than this factor gets a log scale


@dataclass(frozen=True, slots=True)
class Option:
    """Bounds and default of an option."""

    lower: int
    default: int
    upper: int


def read_range(text: str) -> dict[str, Option]:
    r"""Parse lines "name lower default upper"; skip all others.

    >>> read_range("decay 1 50 200\nc comment\n")["decay"]
    Option(lower=1, default=50, upper=200)
    """
    options = {}
    for words in map(str.split, text.splitlines()):
        if len(words) == 4 and all(word.lstrip("-").isdigit() for word in words[1:]):
            options[words[0]] = Option(*map(int, words[1:]))
    return options


def space_of(options: Mapping[str, Option]) -> ConfigurationSpace:
    """Return the chosen options as a space: few values become choices, wide ranges a log scale."""
    space = ConfigurationSpace()
    for name in CHOSEN:
        if name in options:
            space.add(_parameter(name, options[name]))
    for name, switch in _REQUIRES.items():
        if name in space and switch in space:
            space.add(EqualsCondition(space[name], space[switch], "1"))
    return space


def _parameter(name: str, option: Option) -> Hyperparameter[Any, Any]:
    if option.upper - option.lower <= 2:
        values = list(range(option.lower, option.upper + 1))
        return Categorical(name, [str(value) for value in values], default=str(option.default))
    upper = min(option.upper, _FAR * max(option.default, 1))
    # A log scale has no 0, and in a range this wide 1 is as small as 0.
    lower = 1 if option.lower == 0 and upper == _FAR * option.default else option.lower
    is_log = lower > 0 and upper / lower > _WIDE
    return Integer(name, (lower, upper), default=option.default, log=is_log)
