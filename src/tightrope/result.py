"""Result: what an optimisation found, and how it got there."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import inf
from typing import Any

from tightrope.records import Run


@dataclass(frozen=True)
class History:
    """All runs of an optimisation, in order."""

    runs: Sequence[Run]

    def __len__(self) -> int:
        return len(self.runs)

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each run; a capped run's cost is a lower bound."""
        try:
            import pandas as pd
        except ImportError as error:
            raise ImportError('to_frame needs pandas: pip install "tightrope[plot]"') from error
        records = [
            {
                "trial": run.trial.id,
                **dict(run.trial.config),
                "cap": run.trial.cap,
                "status": run.outcome.status.value,
                "cost": run.outcome.cost,
                "spent": run.outcome.spent,
                "wall_s": run.outcome.wall_s,
                "note": run.outcome.note,
            }
            for run in self.runs
        ]
        return pd.DataFrame.from_records(records)

    def trajectory(self) -> tuple[list[float], list[float]]:
        """Return the cumulative cost after each run, and the best cost known then (inf before the first)."""
        spent = list(accumulate(run.outcome.spent for run in self.runs))
        best = list(accumulate((run.outcome.cost if run.done else inf for run in self.runs), min))
        return spent, best


@dataclass(frozen=True)
class Result:
    """What `minimize` found.

    Attributes
    ----------
    best : dict
        The config with the smallest cost known.
    cost : float
        That cost.
    spent : float
        Cumulative cost of all runs.
    history : History
        Every run.
    reason : str
        Why it stopped.
    """

    best: dict[str, Any]
    cost: float
    spent: float
    history: History
    reason: str

    def __str__(self) -> str:
        capped = sum(run.censored for run in self.history.runs)
        return (
            f"{self.best} costs {self.cost:.6g}; {len(self.history)} runs, {capped} of them cut short, "
            f"cost {self.spent:.6g} in all; stopped because {self.reason}"
        )
