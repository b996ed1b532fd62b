"""Arguments and options that several verbs share."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tightrope.cli.terminal.limits import HINT, Limit, read_limit
from tightrope.units import UnitError, parse_duration, parse_size

if TYPE_CHECKING:
    _FloatType = click.ParamType[float]
    _LimitType = click.ParamType[Limit]
else:  # click 8.2 has no type parameter here
    _FloatType = _LimitType = click.ParamType

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


class Size(_FloatType):
    """Type of an option: text such as "4GB", converted to MB."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the size in MB."""
        try:
            size_mb = parse_size(value)
        except UnitError as error:
            self.fail(str(error), param, ctx)
        if size_mb <= 0:
            self.fail(f"{value!r} is not a positive size", param, ctx)
        return size_mb


class BudgetLimit(_LimitType):
    """Type of --budget: a new limit such as "8h", or an addition such as "+2h" if there is one to add to."""

    name = "limit"

    def __init__(self, *, can_add: bool) -> None:
        self._can_add = can_add

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Limit:
        """Return the limit."""
        try:
            limit = read_limit(value)
        except UnitError as error:
            self.fail(f"{error.problem}; {HINT}", param, ctx)
        if limit.is_more and not self._can_add:
            problem = f"{value!r} adds to a budget, and a new tuning has none; remove the plus sign"
            self.fail(problem, param, ctx)
        return limit
