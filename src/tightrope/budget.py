"""The budget of a whole optimisation."""

from dataclasses import asdict, dataclass
from math import inf, isnan
from typing import Final

from tightrope.records import StopKind, StopReason
from tightrope.units import UnitError, parse_duration

# Limits that are whole numbers, with the word for what they count.
TUNE_COUNTS: Final = {"runs": "run"}
COUNTS: Final = {**TUNE_COUNTS, "evaluations": "config"}
_ALL = 1.0 - 1e-12  # tolerance for rounding in the sum of many costs


def seconds(duration: float | str) -> float:
    """Convert a duration to seconds: a number, or text such as "90s", "10m", "1h 30m", "2d"."""
    if not isinstance(duration, str):
        return float(duration)
    try:
        return parse_duration(duration)
    except UnitError as error:
        raise ValueError(f"wall: {error}") from error


@dataclass(frozen=True)
class Budget:
    """Limits of a whole optimisation; the first one reached ends it.

    Parameters
    ----------
    cost : float
        Cumulative cost of all evaluations.
    evaluations : float
        Number of configs evaluated; continuing a config under a larger cap does not count again.
    wall : float or str
        Wall time, including the model's: seconds, or text such as "10m".
    runs : float
        Number of runs, for `tune`.

    Examples
    --------
    >>> Budget(evaluations=50, wall="10m")
    Budget(cost=inf, evaluations=50, wall='10m', runs=inf)
    """

    cost: float = inf
    evaluations: float = inf
    wall: float | str = inf
    runs: float = inf

    def __post_init__(self) -> None:
        limits = self.limits
        for name, limit in limits.items():
            if isnan(limit) or limit <= 0:
                raise ValueError(f"{name} must be positive, not {limit}")
        if min(limits.values()) == inf:
            *names, last = limits
            raise ValueError(f"a budget needs a limit: {', '.join(names)} or {last}")
        for name in COUNTS:
            if limits[name] != inf and limits[name] != int(limits[name]):
                raise ValueError(f"{name} must be a whole number, not {limits[name]}")

    @classmethod
    def of(cls, budget: "float | Budget") -> "Budget":
        """Return a Budget; a plain number is a cumulative cost."""
        if isinstance(budget, Budget):
            return budget
        try:
            cost = float(budget)
        except (TypeError, ValueError):
            raise ValueError(
                "budget must be a cumulative cost, or Budget(cost=, evaluations=, wall='10m'), "
                f"not {budget!r}"
            ) from None
        return cls(cost=cost)

    @property
    def limits(self) -> dict[str, float]:
        """All limits by name, the one on time in seconds; inf where there is none."""
        return asdict(self) | {"wall": self.wall_s}

    @property
    def wall_s(self) -> float:
        """The limit on wall time in seconds."""
        return seconds(self.wall)

    def exhausted(self, *, cost: float, wall_s: float) -> StopReason | None:
        """Return which limit of cost or time has been reached, if any."""
        if cost >= self.cost * _ALL:
            return StopReason(StopKind.COST, f"the cost budget of {self.cost:.6g} is spent")
        if wall_s >= self.wall_s:
            return StopReason(StopKind.TIME, f"{self.wall_s:.6g} s have passed")
        return None
