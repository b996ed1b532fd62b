"""What a budget is good for: divisions, and numbers to write instead."""

from dataclasses import dataclass
from math import ceil, floor, inf, isnan, log10, nan

from tightrope.budget import Budget
from tightrope.preflight.report import Line, error, warning
from tightrope.units import write_duration

ENOUGH_RUNS = 100  # uncut runs that a budget should allow
FEW_RUNS = 50  # below this many, one is told
_HEADROOM = 5.0  # a ceiling is at least this many times what the default needs
_FAR = 1000.0  # a ceiling of more than this many times what the default usually needs is far away
_ROOMY, _ROOMY_LONGEST = 100.0, 20.0  # times what it needs usually, and at most: enough
_DURATIONS_S = (1, 2, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600, 900, 1200, 1800, 2700, 3600)


@dataclass(frozen=True, slots=True)
class Runs:
    """What runs cost at most and usually, in units of the cost and in seconds; nan: not known.

    `longest` is what the default's runs cost that were seen, if all of them ended.
    """

    ceiling: float
    limit_s: float = nan
    typical: float = nan
    typical_s: float = nan
    longest: float = nan
    is_time: bool = True

    @classmethod
    def timed(cls, ceiling: float, typical: float = nan, longest: float = nan) -> "Runs":
        """Return what runs cost whose cost is time."""
        return cls(ceiling, ceiling, typical, typical, longest)


def budget_line(budget: Budget, runs: Runs, *, n_instances: int = 1, slots: int = 1) -> Line:
    """Divide the budget by the ceiling, and by what a run of the default costs if that is known.

    Examples
    --------
    >>> print(budget_line(Budget(cost=3600.0), Runs.timed(300.0)).findings[0].message)
    1h / ceiling 5m = 12 uncut runs
    """
    n_uncut = _how_many(budget, runs.ceiling, runs.limit_s, slots=slots)
    n_typical = _how_many(budget, runs.typical, runs.typical_s, slots=slots)
    text = _division(budget, runs, n_uncut, slots=slots)
    if n_typical < budget.runs:
        text += f", or {_count(n_typical)} like the default's"
    findings = []
    if n_uncut < FEW_RUNS:
        make, code = (error, "B01") if n_uncut < 1 else (warning, "B02")
        findings.append(make(code, "budget", text, _suggestion(budget, runs, ENOUGH_RUNS / n_uncut)))
        text = ""
    elif lower := _lower_ceiling(runs):
        times = f"{round_digits(runs.ceiling / runs.typical):,.0f}".replace(",", " ")
        message = f"the ceiling is about {times} times what the default needs"
        findings.append(warning("B04", "ceiling", message, f'try ceiling = "{write_duration(lower)}"'))
    if n_typical < n_instances:
        message = f"about {_count(n_typical)} runs of the default fit, but there are {n_instances} instances"
        findings.append(warning("B03", "budget", message, "raise the budget, or take easier instances"))
    return Line("budget", text, tuple(findings))


def _lower_ceiling(runs: Runs) -> float | None:
    """Return a ceiling to write instead of one that is far above all that the default needs."""
    if not runs.is_time or isnan(runs.longest) or not runs.ceiling > _FAR * runs.typical:
        return None
    enough = round_up(max(_ROOMY * runs.typical, _ROOMY_LONGEST * runs.longest))
    return enough if enough < runs.ceiling else None


def _how_many(budget: Budget, cost: float, cost_s: float, *, slots: int) -> float:
    """Return how many runs of this cost fit; inf if nothing known limits them."""
    by_limit = (
        budget.runs,
        budget.cost / cost if cost else inf,
        budget.wall_s * slots / cost_s if cost_s else inf,
    )
    return min(n for n in by_limit if n == n)


def _division(budget: Budget, runs: Runs, n_uncut: float, *, slots: int) -> str:
    """Say what is divided by what."""
    if n_uncut == inf:
        return f"{write_duration(budget.wall_s)}, and how many runs fit is not known"
    if n_uncut == budget.runs:
        return f"{_count(n_uncut)} runs"
    by_cost = n_uncut == budget.cost / runs.ceiling
    is_time = runs.is_time or not by_cost
    whole, part = (budget.cost, runs.ceiling) if by_cost else (budget.wall_s, runs.limit_s)
    several = f" x {slots} at once" if slots > 1 and not by_cost else ""
    name = "ceiling" if by_cost or runs.is_time else "time limit"
    return (
        f"{_amount(whole, is_time)}{several} / {name} {_amount(part, is_time)} = {_count(n_uncut)} uncut runs"
    )


def _suggestion(budget: Budget, runs: Runs, factor: float) -> str:
    if budget.runs < FEW_RUNS:
        return f"try budget = {{ runs = {ENOUGH_RUNS} }} or more"
    whole = min(budget.cost, budget.wall_s) * factor
    larger = (
        f'budget = "{write_duration(round_up(whole))}"'
        if runs.is_time
        else f"a budget of {round_digits(whole):.6g}"
    )
    lower = runs.ceiling / factor
    if not runs.is_time or lower < _HEADROOM * runs.typical:
        return f"try {larger}"
    return f'try ceiling = "{write_duration(round_down(lower))}" or {larger}'


def _amount(value: float, is_time: bool) -> str:
    return write_duration(value) if is_time else f"{value:.6g}"


def _count(n: float) -> str:
    return f"{floor(n):,d}".replace(",", " ")


def round_up(seconds: float) -> float:
    """Return the next duration that people would write."""
    if seconds > _DURATIONS_S[-1]:
        return 3600.0 * ceil(seconds / 3600.0 - 1e-9)
    return next((float(each) for each in _DURATIONS_S if each >= seconds * (1 - 1e-9)), seconds)


def round_down(seconds: float) -> float:
    """Return the last duration before that people would write."""
    if seconds < _DURATIONS_S[0]:
        return round_digits(seconds)
    return float(max(each for each in _DURATIONS_S if each <= seconds * (1 + 1e-9)))


def round_digits(value: float) -> float:
    """Round to one significant digit."""
    return round(value, -floor(log10(value)))
