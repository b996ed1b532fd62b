"""irace switches, which define how a parameter appears on the command line."""

import shlex
from collections.abc import Mapping
from copy import deepcopy

from ConfigSpace import ConfigurationSpace

from tightrope.errors import SpaceError

_VALUE = "{value}"
_DEFAULT = "--{name}={value}"


def style_of(space: ConfigurationSpace) -> dict[str, str] | None:
    """Return the pattern of each parameter, or None if no parameter has a switch."""
    switches = {name: (parameter.meta or {}).get("switch") for name, parameter in space.items()}
    if all(switch is None for switch in switches.values()):
        return None
    return {
        name: _DEFAULT if switch is None else pattern_of(str(switch), name)
        for name, switch in switches.items()
    }


def pattern_of(switch: str, name: str) -> str:
    """Return the pattern for a switch. The value is a separate word if the switch ends in whitespace."""
    if "{" in switch or "}" in switch:
        raise SpaceError(f"the switch {switch!r} contains braces", key=name, hint="change the switch")
    words = [shlex.quote(word) for word in switch.split()]
    if not switch or switch[-1].isspace():
        return " ".join([*words, "{value}"])
    return " ".join(words) + "{value}"


Patterns = str | Mapping[str, str]


def with_switches(
    space: ConfigurationSpace, patterns: Patterns | None, *, flags: str | None
) -> ConfigurationSpace:
    """Return a space whose switches write parameters as a command does.

    Parameters
    ----------
    space : ConfigurationSpace
        The parameters.
    patterns : str, mapping or None
        The scenario's `style`. Without it, parameters keep their switches, or are written as by default.
    flags : str or None
        The scenario's `flags`.

    Raises
    ------
    SpaceError
        If a switch cannot do that.
    """
    copy = deepcopy(space)
    for name, parameter in copy.items():
        values = getattr(parameter, "choices", (getattr(parameter, "value", None),))
        if flags is not None and any(isinstance(value, bool) for value in values):
            raise SpaceError(
                f"irace files cannot write flags: {flags!r} has no value, and a switch is followed by one",
                key=name,
                hint="let the command or a wrapper accept the values true and false, and remove `flags`",
            )
        meta = parameter.meta or {}
        if patterns is not None or "switch" not in meta:
            given = _DEFAULT if patterns is None else patterns
            pattern = given if isinstance(given, str) else given.get(name, _DEFAULT)
            parameter.meta = {**meta, "switch": switch_of(pattern, name)}
    return copy


def switch_of(pattern: str, name: str) -> str:
    """Return the switch that writes a parameter as a pattern does.

    >>> switch_of("--{name}={value}", "n"), switch_of("-p {name} {value}", "n"), switch_of("{value}", "n")
    ('--n=', '-p n ', '')
    """
    *words, last = (word.replace("{name}", name) for word in shlex.split(pattern))
    switch = " ".join([*words, last.removesuffix(_VALUE)])
    if not last.endswith(_VALUE) or _VALUE in switch or _words_of(switch) != [*words, last]:
        raise SpaceError(
            f"irace files cannot write the style {pattern!r}: a switch is text in front of the value",
            key=name,
            hint='use a style such as "--{name}={value}" or "-{name} {value}", or a wrapper',
        )
    return switch


def _words_of(switch: str) -> list[str]:
    """Return the words that a switch and its value become on the command line of irace."""
    return f"{switch}{_VALUE}".split()
