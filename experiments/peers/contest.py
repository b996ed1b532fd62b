"""Who competes, and how one tuning of each is judged."""

import time
from importlib.util import find_spec

from arena.arena import Arena
from arena.arms import ARMS, MAIN, RANDOM
from arena.measure import attempt

from peers.ledger import Ledger
from peers.with_optuna import tune_with_optuna
from peers.with_smac import tune_with_smac

PEERS = {"SMAC3": ("smac", tune_with_smac), "Optuna": ("optuna", tune_with_optuna)}
OURS = {"tightrope": ARMS[MAIN], "random, same race": ARMS[RANDOM]}
ARMS_OF_CONTEST = (*OURS, *PEERS)
_RUNS_FOR_EACH = 20  # as many runs as that for each of the default that the budget is worth


def why_missing(arm: str) -> str | None:
    """Return what to install, None if nothing."""
    if arm in OURS or find_spec(PEERS[arm][0]) is not None:
        return None
    return f"pip install {PEERS[arm][0]}"


def compete(arena: Arena, arm: str, *, budget: int, seed: int) -> dict[str, float]:
    """Tune once for as much as so many runs of the default cost; return the truth about the result."""
    allowed = budget * arena.train_cost(arena.default)
    if arm in OURS:
        found = attempt(arena, OURS[arm], budget=allowed, seed=seed)
        kept = ("test_cost", "train_cost", "n_runs", "spent", "cpu_s", "cpu_ms_a_run")
        return {name: found[name] for name in kept}
    ledger = Ledger(arena, allowed, most_runs=_RUNS_FOR_EACH * budget)
    start_s = time.process_time()
    best = PEERS[arm][1](arena, ledger, seed=seed)
    cpu_s = time.process_time() - start_s - ledger.cpu_s
    return {
        "test_cost": arena.test_cost(best),
        "train_cost": arena.train_cost(best),
        "n_runs": ledger.n_runs,
        "spent": round(ledger.spent, 6),
        "cpu_s": round(cpu_s, 2),
        "cpu_ms_a_run": round(1000.0 * cpu_s / max(ledger.n_runs, 1), 3),
    }
