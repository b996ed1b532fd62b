"""Parameters of Kissat, from what `kissat --range` says."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ConfigSpace import Categorical, ConfigurationSpace, EqualsCondition, Integer
from ConfigSpace.hyperparameters import Hyperparameter

# Options that change how hard it is to solve an instance, not what is solved, printed or allowed.
CHOSEN = (
    "congruence", "decay", "eliminate", "eliminatebound", "preprocess", "probe", "reduceint", "reducelow",
    "rephaseint", "restartint", "restartmargin", "stable", "sweep", "target", "tier1", "tier2", "vivify",
    "walkeffort",
)  # fmt: skip
_NEEDS = {"eliminatebound": "eliminate"}  # options that mean nothing while another is 0
_FAR = 100  # times the default: what lies beyond would never pay
_WIDE = 100  # a range over more than this factor is drawn on a log scale


@dataclass(frozen=True, slots=True)
class Option:
    """Smallest, usual and largest value of an option."""

    lower: int
    default: int
    upper: int


def read_range(text: str) -> dict[str, Option]:
    r"""Read lines "name lower default upper"; others are skipped.

    >>> read_range("decay 1 50 200\nc comment\n")["decay"]
    Option(lower=1, default=50, upper=200)
    """
    options = {}
    for words in map(str.split, text.splitlines()):
        if len(words) == 4 and all(word.lstrip("-").isdigit() for word in words[1:]):
            options[words[0]] = Option(*map(int, words[1:]))
    return options


def space_of(options: Mapping[str, Option]) -> ConfigurationSpace:
    """Return the chosen options as a space; few values are choices, wide ranges are drawn by magnitude."""
    space = ConfigurationSpace()
    for name in CHOSEN:
        if name in options:
            space.add(_parameter(name, options[name]))
    for name, switch in _NEEDS.items():
        if name in space and switch in space:
            space.add(EqualsCondition(space[name], space[switch], "1"))
    return space


def _parameter(name: str, option: Option) -> Hyperparameter[Any, Any]:
    if option.upper - option.lower <= 2:
        values = list(range(option.lower, option.upper + 1))
        return Categorical(name, [str(value) for value in values], default=str(option.default))
    upper = min(option.upper, _FAR * max(option.default, 1))
    # No magnitude is that of 0, and where a range goes that far beyond the default, 1 is as little as 0.
    lower = 1 if option.lower == 0 and upper == _FAR * option.default else option.lower
    is_log = lower > 0 and upper / lower > _WIDE
    return Integer(name, (lower, upper), default=option.default, log=is_log)
