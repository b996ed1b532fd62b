"""Checks how many runs a budget allows, and suggests better numbers."""

from dataclasses import dataclass
from math import ceil, floor, inf, isnan, log10, nan

from tightrope.budget import Budget
from tightrope.preflight.report import CheckLine, error, warning
from tightrope.units import write_duration

ENOUGH_RUNS = 100  # full-length runs (up to the ceiling) that a budget should allow
FEW_RUNS = 50  # fewer give a finding
_HEADROOM = 5.0  # a suggested ceiling is at least this many times the default's typical cost
_FAR = 1000.0  # a ceiling above this many times the default's typical cost is too high
_ROOMY, _ROOMY_LONGEST = 100.0, 20.0  # a lower ceiling: multiples of the typical and the longest cost
_DURATIONS_S = (1, 2, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600, 900, 1200, 1800, 2700, 3600)


@dataclass(frozen=True, slots=True)
class RunCosts:
    """The largest and the typical cost of a run, in units of the cost and in seconds; nan: unknown.

    `longest` is the largest cost among the default's probes, if all of them ended.
    """

    ceiling: float
    limit_s: float = nan
    typical: float = nan
    typical_s: float = nan
    longest: float = nan
    is_time: bool = True

    @classmethod
    def timed(cls, ceiling: float, typical: float = nan, longest: float = nan) -> "RunCosts":
        """Return the costs of runs whose cost is time."""
        return cls(ceiling, ceiling, typical, typical, longest)


def check_budget(budget: Budget, runs: RunCosts, *, n_instances: int = 1, slots: int = 1) -> CheckLine:
    """Divide the budget by the ceiling, and by the cost of a default run if known.

    Examples
    --------
    >>> print(check_budget(Budget(cost=3600.0), RunCosts.timed(300.0)).findings[0].message)
    1h / ceiling 5m = 12 full-length runs
    """
    n_full = _count_runs(budget, runs.ceiling, runs.limit_s, slots=slots)
    n_default = _count_runs(budget, runs.typical, runs.typical_s, slots=slots)
    text = _division(budget, runs, n_full, slots=slots)
    if n_default < budget.runs:
        text += f", or {_count(n_default)} typical runs of the default"
    findings = []
    if n_full < FEW_RUNS:
        make, code = (error, "B01") if n_full < 1 else (warning, "B02")
        findings.append(make(code, "budget", text, _suggestion(budget, runs, ENOUGH_RUNS / n_full)))
        text = ""
    elif lower := _lower_ceiling(runs):
        times = f"{round_digits(runs.ceiling / runs.typical):,.0f}".replace(",", " ")
        message = f"the ceiling is about {times} times the default's typical cost"
        findings.append(warning("B04", "ceiling", message, f'try ceiling = "{write_duration(lower)}"'))
    if n_default < n_instances:
        message = (
            f"enough for about {_count(n_default)} runs of the default, but there are {n_instances} instances"
        )
        findings.append(warning("B03", "budget", message, "increase the budget, or use easier instances"))
    return CheckLine("budget", text, tuple(findings))


def _lower_ceiling(runs: RunCosts) -> float | None:
    """Suggest a ceiling if the given one is far above all costs of the default; None if it is fine."""
    if not runs.is_time or isnan(runs.longest) or not runs.ceiling > _FAR * runs.typical:
        return None
    enough = round_up(max(_ROOMY * runs.typical, _ROOMY_LONGEST * runs.longest))
    return enough if enough < runs.ceiling else None


def _count_runs(budget: Budget, cost: float, cost_s: float, *, slots: int) -> float:
    """Return how many runs of this cost the budget allows; inf if no known limit applies."""
    by_limit = (
        budget.runs,
        budget.cost / cost if cost else inf,
        budget.wall_s * slots / cost_s if cost_s else inf,
    )
    return min(n for n in by_limit if n == n)


def _division(budget: Budget, runs: RunCosts, n_full: float, *, slots: int) -> str:
    """Describe the division of the budget by the ceiling."""
    if n_full == inf:
        return f"{write_duration(budget.wall_s)}; the number of runs is unknown"
    if n_full == budget.runs:
        return f"{_count(n_full)} runs"
    by_cost = n_full == budget.cost / runs.ceiling
    is_time = runs.is_time or not by_cost
    whole, part = (budget.cost, runs.ceiling) if by_cost else (budget.wall_s, runs.limit_s)
    several = f" x {slots} at once" if slots > 1 and not by_cost else ""
    name = "ceiling" if by_cost or runs.is_time else "time limit"
    whole_text, part_text = _amount(whole, is_time), _amount(part, is_time)
    return f"{whole_text}{several} / {name} {part_text} = {_count(n_full)} full-length runs"


def _suggestion(budget: Budget, runs: RunCosts, factor: float) -> str:
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
    """Round up to a common duration."""
    if seconds > _DURATIONS_S[-1]:
        return 3600.0 * ceil(seconds / 3600.0 - 1e-9)
    return next((float(each) for each in _DURATIONS_S if each >= seconds * (1 - 1e-9)), seconds)


def round_down(seconds: float) -> float:
    """Round down to a common duration."""
    if seconds < _DURATIONS_S[0]:
        return round_digits(seconds)
    return float(max(each for each in _DURATIONS_S if each <= seconds * (1 + 1e-9)))


def round_digits(value: float) -> float:
    """Round to one significant digit."""
    return round(value, -floor(log10(value)))
