"""Arguments and options that several verbs share."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tightrope.cli.terminal.limits import HINT, Limit, read_limit
from tightrope.units import UnitError, parse_duration

if TYPE_CHECKING:
    _FloatType = click.ParamType[float]
else:  # click 8.2 has no type parameter here
    _FloatType = click.ParamType

run_folder = click.argument(
    "folder", type=click.Path(file_okay=False, path_type=Path), metavar="[DIR]", required=False
)


class Duration(_FloatType):
    """Type of an option: text such as "90s" or "1h 30m", converted to seconds."""

    name = "duration"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the duration in seconds."""
        try:
            seconds = parse_duration(value)
        except UnitError as error:
            self.fail(str(error), param, ctx)
        if seconds <= 0:
            self.fail(f"{value!r} is not a positive duration", param, ctx)
        return seconds


def absolute_limit(ctx: click.Context, param: click.Parameter, value: str | None) -> Limit | None:
    """Parse --budget for a new tuning, where there is no budget to add to."""
    limit = any_limit(ctx, param, value)
    if limit is not None and limit.is_more:
        raise click.BadParameter(
            f"{value!r} adds to a budget, and a new tuning has none; remove the plus sign"
        )
    return limit


def any_limit(ctx: click.Context, param: click.Parameter, value: str | None) -> Limit | None:
    """Parse --budget: a new limit such as "8h", or an addition such as "+2h"."""
    if value is None:
        return None
    try:
        return read_limit(value)
    except UnitError as error:
        raise click.BadParameter(f"{error.problem}; {HINT}") from error
