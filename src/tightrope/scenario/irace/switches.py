"""irace switches, which define how a parameter appears on the command line."""

import shlex

from ConfigSpace import ConfigurationSpace

from tightrope.errors import SpaceError


def style_of(space: ConfigurationSpace) -> dict[str, str] | None:
    """Return the pattern of each parameter, or None if no parameter has a switch."""
    switches = {name: (parameter.meta or {}).get("switch") for name, parameter in space.items()}
    if all(switch is None for switch in switches.values()):
        return None
    return {
        name: "--{name}={value}" if switch is None else pattern_of(str(switch), name)
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
