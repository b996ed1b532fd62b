"""Parameters from the options that a solver prints: choices, scales, useful bounds, and conditions."""

from collections.abc import Collection, Mapping
from fnmatch import fnmatchcase
from math import isinf
from typing import Any

from ConfigSpace import Categorical, ConfigurationSpace, EqualsCondition, Float, Integer, NotEqualsCondition
from ConfigSpace.hyperparameters import Hyperparameter

from tightrope.scenario.solvers.printed import Option

_FAR = 100  # times the default: larger values never pay off
_WIDE = 100  # a range wider than this factor gets a log scale


def space_of(
    options: Mapping[str, Option], *, leave_out: Collection[str] = (), independent: Collection[str] = ()
) -> ConfigurationSpace:
    """Return options as a space.

    An option is inactive while another one is 0 whose name begins its own, such as restart and restartint,
    unless it is `independent` of that. The names to `leave_out` are patterns.
    """
    space = ConfigurationSpace()
    for name, option in options.items():
        if not any(fnmatchcase(name, pattern) for pattern in leave_out):
            space.add(_parameter(name, option))
    for name in list(space):
        switch = None if name in independent else _switch_of(name, options)
        if switch is not None and switch in space:
            space.add(_condition(space, name, switch, options[switch]))
    return space


def _switch_of(name: str, options: Mapping[str, Option]) -> str | None:
    """Return the option that turns this one off if it is 0: the longest whose name begins this one's."""
    found = [
        other
        for other, option in options.items()
        if name.startswith(other) and name != other and option.is_choice and option.lower == 0
    ]
    return max(found, key=len, default=None)


def _condition(
    space: ConfigurationSpace, name: str, switch: str, option: Option
) -> EqualsCondition | NotEqualsCondition:
    if option.is_flag:
        return EqualsCondition(space[name], space[switch], True)
    if option.upper == 1:
        return EqualsCondition(space[name], space[switch], "1")
    return NotEqualsCondition(space[name], space[switch], "0")


def _parameter(name: str, option: Option) -> Hyperparameter[Any, Any]:
    if option.is_flag:
        return Categorical(name, [False, True], default=bool(option.default))
    if option.is_choice:
        values = range(int(option.lower), int(option.upper) + 1)
        return Categorical(name, [str(value) for value in values], default=str(int(option.default)))
    farthest = _FAR * max(option.default, 1)
    upper = min(option.upper, farthest)
    lower = _lower(option, upper, farthest)
    is_log = lower > 0 and upper / lower > _WIDE
    if option.is_real:
        return Float(name, (lower, upper), default=option.default, log=is_log)
    return Integer(name, (int(lower), int(upper)), default=int(option.default), log=is_log)


def _lower(option: Option, upper: float, farthest: float) -> float:
    """Return a lower bound that suits the scale: a log scale has no 0, and -1 mostly means "no limit"."""
    if option.is_real:
        is_far = upper == farthest and option.default > 0
        return max(option.lower, option.default / _FAR) if is_far else option.lower
    if option.lower <= 0 < option.default and upper == farthest:
        return 1
    return max(option.lower, -_FAR) if isinf(option.lower) else option.lower
