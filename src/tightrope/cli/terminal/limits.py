"""Budget limits as text: parse --budget, and describe a budget."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Final

from tightrope.budget import COUNTS, TUNE_COUNTS, Budget
from tightrope.cli.terminal import words
from tightrope.errors import UsageError
from tightrope.units import UnitError, parse_duration

HINT = "write it like 8h, '90m cpu' or '500 runs'"
_WORDS: Final = {word: name for name, word in TUNE_COUNTS.items()}
_COUNT = re.compile(rf"([0-9]+)\s*({'|'.join(_WORDS)})s?")
_COST = re.compile(r"(.+?)\s*cpu")


@dataclass(frozen=True, slots=True)
class Limit:
    """One limit, by its field of `Budget`; `is_more` means that it is added to the current one."""

    name: str
    amount: float
    text: str
    is_more: bool = False

    def applied_to(self, budget: Budget) -> Budget:
        """Return the new budget: this limit alone, or the given budget plus this limit."""
        if not self.is_more:
            return Budget(**{self.name: self.amount})
        limits = limits_of(budget)
        if self.name not in limits:
            raise UsageError(
                f"--budget {self.text} has nothing to add to: the budget is {describe_budget(budget)}",
                hint="add to that limit, or set a new one without the plus sign",
            )
        return Budget(**limits | {self.name: limits[self.name] + self.amount})


def read_limit(text: str) -> Limit:
    """Parse a limit as typed on the command line.

    Raises
    ------
    UnitError
        If the text is neither a duration nor a number of runs.

    Examples
    --------
    >>> read_limit("8h").amount, read_limit("+500 runs").is_more, read_limit("90m cpu").name
    (28800.0, True, 'cost')
    """
    typed = text.strip()
    is_more = typed.startswith("+")
    typed = typed.removeprefix("+").strip().lower()
    if count := _COUNT.fullmatch(typed):
        name, amount = _WORDS[count[2]], float(count[1])
    elif cost := _COST.fullmatch(typed):
        name, amount = "cost", parse_duration(cost[1])
    else:
        name, amount = "wall", parse_duration(typed)
    if not amount > 0:
        raise UnitError(f"{text!r} is not a positive limit", hint=HINT)
    return Limit(name, amount, text, is_more)


def limits_of(budget: Budget) -> dict[str, float]:
    """Return the limits that are set in a budget.

    >>> limits_of(Budget(wall="1h", runs=500))
    {'wall': 3600.0, 'runs': 500}
    """
    return {name: limit for name, limit in budget.limits.items() if limit < inf}


def _plain_cost(limit: float) -> str:
    return f"{words.number(limit)} of cost"


def describe_budget(budget: Budget, cost: Callable[[float], str] = _plain_cost) -> str:
    """Describe a budget; `cost` formats a cost with its unit.

    >>> describe_budget(Budget(wall="1h", runs=500))
    '1 h 00 m and 500 runs'
    """
    limits = limits_of(budget)
    parts = [
        write(limits[name]) for name, write in (("wall", words.duration), ("cost", cost)) if name in limits
    ]
    parts += [words.count(int(limits[name]), word) for name, word in COUNTS.items() if name in limits]
    return " and ".join(parts)


def as_much_again(budget: Budget) -> str:
    """Return the --budget option that doubles the first limit of a budget.

    >>> as_much_again(Budget(wall="90m")), as_much_again(Budget(cost=180.0)), as_much_again(Budget(runs=500))
    ('--budget +90m', "--budget '+3m cpu'", "--budget '+500 runs'")
    """
    limits = limits_of(budget)
    if "wall" in limits:
        return f"--budget +{_short(limits['wall'])}"
    if "cost" in limits:
        return f"--budget '+{_short(limits['cost'])} cpu'"
    name = next(name for name in TUNE_COUNTS if name in limits)
    return f"--budget '+{limits[name]:.0f} {TUNE_COUNTS[name]}s'"


def _short(seconds: float) -> str:
    for unit, length in (("h", 3600.0), ("m", 60.0)):
        if seconds % length == 0:
            return f"{seconds / length:.0f}{unit}"
    return f"{seconds:g}s"
