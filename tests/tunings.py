"""A tuning of real processes, for tests that disturb it: its scenario, and what its journal replays to."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from tightrope.budget import Budget
from tightrope.drive import Past, recall
from tightrope.race.engine import Engine
from tightrope.run import CommandTarget, ExecutorSpec, FunctionTarget, LocalPool, Serial, Target
from tightrope.scenario.scenario import Scenario
from tightrope.scenario.setup import plan_of
from tightrope.store import Entry

Kind = Literal["command", "function", "hanging"]

SOLVER = Path(__file__).parent / "targets" / "solver.py"
INSTANCES = ("a", "bb", "ccc", "dddd", "eeeee", "ffffff")
SEED = 5


def log_of(journal: Path) -> Path:
    """Return the file in which runs say that they have begun."""
    return journal.with_suffix(".log")


def scenario_of(kind: Kind, journal: Path, *, runs: int) -> Scenario:
    """Return what is tuned: a command or a function, which need the same time, or one that never loads."""
    return Scenario(
        space={"x": (0.0, 1.0)},
        default={"x": 0.9},
        instances=INSTANCES,
        ceiling=0.6,
        budget=Budget(runs=runs),
        target=_target_of(kind, journal),
    )


def executor_of(slots: int) -> ExecutorSpec:
    """Return so many slots, however many cores there are."""
    return Serial() if slots == 1 else LocalPool(slots, oversubscribe=True)


def replayed(scenario: Scenario, entries: Iterable[Entry]) -> tuple[Engine, Past]:
    """Return a fresh engine that was told a journal, and the past."""
    engine = Engine(plan_of(scenario, SEED))
    return engine, recall(engine, entries)


def _target_of(kind: Kind, journal: Path) -> Target:
    if kind != "command":
        return FunctionTarget("solver:run" if kind == "function" else "hanging:run", clock="cpu")
    command = [sys.executable, "-I", "-S", str(SOLVER), str(log_of(journal)), "{x}", "{instance}"]
    return CommandTarget(command, names=["x"])
