"""What an engine counts: the whole tuning, since the last selection, and the trials under way."""

from dataclasses import dataclass

from tightrope.records import Trial


@dataclass(slots=True)
class Totals:
    """Counts and sums over the whole tuning."""

    decisions: int = 0
    trials: int = 0
    runs: int = 0
    duels: int = 0
    defences: int = 0  # runs of incumbents
    spent: float = 0.0
    now_s: float = 0.0


@dataclass(slots=True)
class Since:
    """What has happened since challengers were last selected."""

    n_evidence: int  # at that time
    is_design: bool  # the selection was the initial design, which is tried to its end
    runs: int = 0
    wall_s: float = 0.0
    overhead_s: float = 0.0


@dataclass(slots=True)
class Running:
    """A trial under way."""

    trial: Trial
    number: int
    task: int
    began_s: float
    is_cancelled: bool = False
