"""The option --budget: what a whole tuning may spend, as people write it."""

import re
from collections.abc import Callable
from dataclasses import asdict, dataclass
from math import inf

import click

from tightrope.budget import Budget
from tightrope.cli.terminal import words
from tightrope.errors import UsageError
from tightrope.units import UnitError, parse_duration

_HINT = "write it like 8h, '90m cpu' or '500 runs'"
_RUNS = re.compile(r"([0-9]+)\s*runs?")
_COST = re.compile(r"(.+?)\s*cpu")


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit of a budget, by its name there; `is_more` if it comes on top of what there is."""

    name: str
    amount: float
    text: str
    is_more: bool = False

    def applied_to(self, budget: Budget) -> Budget:
        """Return the budget that this makes of another: itself alone, or the other raised by it."""
        if not self.is_more:
            return Budget(**{self.name: self.amount})
        limits = limits_of(budget)
        if self.name not in limits:
            raise UsageError(
                f"--budget {self.text} has nothing to be added to: the budget is {describe_budget(budget)}",
                hint="raise that, or set another without the plus",
            )
        return Budget(**limits | {self.name: limits[self.name] + self.amount})


def read_limit(text: str) -> Limit:
    """Read what somebody wrote.

    Raises
    ------
    UnitError
        If it is neither a duration nor a number of runs.

    Examples
    --------
    >>> read_limit("8h").amount, read_limit("+500 runs").is_more, read_limit("90m cpu").name
    (28800.0, True, 'cost')
    """
    said = text.strip()
    is_more = said.startswith("+")
    said = said.removeprefix("+").strip().lower()
    if runs := _RUNS.fullmatch(said):
        name, amount = "runs", float(runs[1])
    elif cost := _COST.fullmatch(said):
        name, amount = "cost", parse_duration(cost[1])
    else:
        name, amount = "wall", parse_duration(said)
    if not amount > 0:
        raise UnitError(f"{text!r} is nothing at all", hint=_HINT)
    return Limit(name, amount, text, is_more)


def limits_of(budget: Budget) -> dict[str, float]:
    """Return the limits that a budget has, in numbers.

    >>> limits_of(Budget(wall="1h", runs=500))
    {'wall': 3600.0, 'runs': 500}
    """
    return {name: limit for name, limit in (asdict(budget) | {"wall": budget.wall_s}).items() if limit < inf}


def _plain_cost(limit: float) -> str:
    return f"{words.number(limit)} of cost"


def describe_budget(budget: Budget, cost: Callable[[float], str] = _plain_cost) -> str:
    """Say what a budget allows; `cost` writes a cost with what it is.

    >>> describe_budget(Budget(wall="1h", runs=500))
    '1 h 00 m and 500 runs'
    """
    said: dict[str, Callable[[float], str]] = {
        "wall": words.duration,
        "cost": cost,
        "runs": lambda limit: words.count(int(limit), "run"),
        "evaluations": lambda limit: words.count(int(limit), "config"),
    }
    limits = limits_of(budget)
    return " and ".join(said[name](limits[name]) for name in said if name in limits)


def as_much_again(budget: Budget) -> str:
    """Return the option that doubles a budget's first limit, as one would type it.

    >>> as_much_again(Budget(wall="90m")), as_much_again(Budget(cost=180.0)), as_much_again(Budget(runs=500))
    ('--budget +90m', "--budget '+3m cpu'", "--budget '+500 runs'")
    """
    limits = limits_of(budget)
    if "wall" in limits:
        return f"--budget +{_short(limits['wall'])}"
    if "cost" in limits:
        return f"--budget '+{_short(limits['cost'])} cpu'"
    return f"--budget '+{limits['runs']:.0f} runs'"


def _short(seconds: float) -> str:
    for unit, length in (("h", 3600.0), ("m", 60.0)):
        if seconds % length == 0:
            return f"{seconds / length:.0f}{unit}"
    return f"{seconds:g}s"


def new_limit(ctx: click.Context, param: click.Parameter, value: str | None) -> Limit | None:
    """Read the option where there is no budget yet that could be raised."""
    limit = any_limit(ctx, param, value)
    if limit is not None and limit.is_more:
        raise click.BadParameter(f"{value!r} adds to a budget, but there is none yet; leave out the plus")
    return limit


def any_limit(ctx: click.Context, param: click.Parameter, value: str | None) -> Limit | None:
    """Read the option, and refuse what makes no sense."""
    if value is None:
        return None
    try:
        return read_limit(value)
    except UnitError as error:
        raise click.BadParameter(f"{error.problem}; {_HINT}") from error
