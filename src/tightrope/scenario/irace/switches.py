"""Switches of irace: how parameter files say that parameters are written on a command line."""

import shlex

from ConfigSpace import ConfigurationSpace

from tightrope.errors import SpaceError


def style_of(space: ConfigurationSpace) -> dict[str, str] | None:
    """Return the pattern of each parameter if parameters have switches; None if none has."""
    switches = {name: (parameter.meta or {}).get("switch") for name, parameter in space.items()}
    if all(switch is None for switch in switches.values()):
        return None
    return {
        name: "--{name}={value}" if switch is None else pattern_of(str(switch), name)
        for name, switch in switches.items()
    }


def pattern_of(switch: str, name: str) -> str:
    """Return the pattern for a switch, behind which the value stands: after a blank as a word of its own."""
    if "{" in switch or "}" in switch:
        raise SpaceError(f"the switch {switch!r} has braces", key=name, hint="change the switch")
    words = [shlex.quote(word) for word in switch.split()]
    if not switch or switch[-1].isspace():
        return " ".join([*words, "{value}"])
    return " ".join(words) + "{value}"
