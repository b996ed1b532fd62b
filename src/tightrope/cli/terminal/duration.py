"""An option that holds a duration."""

from typing import TYPE_CHECKING, Any

import click

from tightrope.units import UnitError, parse_duration

if TYPE_CHECKING:
    _Type = click.ParamType[float]
else:  # click 8.2 does not say of what type values are
    _Type = click.ParamType


class Duration(_Type):
    """Text such as "90s" or "1h 30m"; its value is in seconds."""

    name = "duration"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the seconds."""
        try:
            seconds = parse_duration(value)
        except UnitError as error:
            self.fail(str(error), param, ctx)
        if seconds <= 0:
            self.fail(f"{value!r} is no time at all", param, ctx)
        return seconds


DURATION = Duration()
