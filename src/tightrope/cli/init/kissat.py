"""Parameters of Kissat, from the output of `kissat --range`."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ConfigSpace import Categorical, ConfigurationSpace, EqualsCondition, Integer, NotEqualsCondition
from ConfigSpace.hyperparameters import Hyperparameter

# Options that make a difference in most tunings.
CHOSEN = (
    "congruence", "decay", "eliminate", "eliminatebound", "preprocess", "probe", "reduceint", "reducelow",
    "rephaseint", "restartint", "restartmargin", "stable", "sweep", "target", "tier1", "tier2", "vivify",
    "walkeffort",
)  # fmt: skip
# Options that change the output or the proof, or that are no settings of the search.
_LEFT_OUT = frozenset({"flushproof", "incremental", "profile", "quiet", "seed", "statistics", "verbose"})
_INDEPENDENT = frozenset({"phasesaving"})  # of the option whose name begins theirs
_FAR = 100  # times the default: larger values never pay off
_WIDE = 100  # a range wider than this factor gets a log scale


@dataclass(frozen=True, slots=True)
class Option:
    """Bounds and default of an option."""

    lower: int
    default: int
    upper: int

    @property
    def is_choice(self) -> bool:
        """Whether it has so few values that they become choices."""
        return self.upper - self.lower <= 2


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


def every_name(options: Iterable[str]) -> list[str]:
    """Return the names of all options that can be tuned.

    >>> every_name(["decay", "seed", "tier1", "verbose"])
    ['decay', 'tier1']
    """
    return [name for name in options if name not in _LEFT_OUT]


def space_of(options: Mapping[str, Option], names: Iterable[str] = CHOSEN) -> ConfigurationSpace:
    """Return these options as a space: few values become choices, wide ranges a log scale."""
    space = ConfigurationSpace()
    for name in names:
        if name in options:
            space.add(_parameter(name, options[name]))
    for name in list(space):
        switch = _switch_of(name, options)
        if switch is not None and switch in space:
            is_bool = options[switch].upper == 1
            space.add(
                EqualsCondition(space[name], space[switch], "1")
                if is_bool
                else NotEqualsCondition(space[name], space[switch], "0")
            )
    return space


def _switch_of(name: str, options: Mapping[str, Option]) -> str | None:
    """Return the option that turns this one off if it is 0: the longest whose name begins this one's."""
    if name in _INDEPENDENT:
        return None
    found = [
        other
        for other, option in options.items()
        if name.startswith(other) and name != other and option.is_choice and option.lower == 0
    ]
    return max(found, key=len, default=None)


def _parameter(name: str, option: Option) -> Hyperparameter[Any, Any]:
    if option.is_choice:
        values = list(range(option.lower, option.upper + 1))
        return Categorical(name, [str(value) for value in values], default=str(option.default))
    upper = min(option.upper, _FAR * max(option.default, 1))
    # A log scale has no 0, and in a range this wide 1 is as small as 0.
    lower = 1 if option.lower == 0 and upper == _FAR * option.default else option.lower
    is_log = lower > 0 and upper / lower > _WIDE
    return Integer(name, (lower, upper), default=option.default, log=is_log)
