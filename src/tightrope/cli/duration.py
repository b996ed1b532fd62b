"""An option that holds a duration."""

from typing import Any

import click

from tightrope.units import UnitError, parse_duration


class Duration(click.ParamType[float]):
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
