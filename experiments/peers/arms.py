"""The arms of the comparison with peers, and one tuning of each."""

import importlib
import resource
import time
from importlib.util import find_spec

from lib.arena.arena import Arena
from lib.arena.arms import ARMS, MAIN, RANDOM
from lib.arena.measure import attempt
from lib.series import Job
from lib.tables import Row

from peers.metered_solver import GaveUpError, MeteredSolver
from peers.with_irace import is_installed, tune_with_irace
from peers.with_optuna import tune_with_optuna
from peers.with_smac import tune_with_smac

REFERENCE, RANDOM_RACE = "tightrope", "random, same race"
OURS = {REFERENCE: ARMS[MAIN], RANDOM_RACE: ARMS[RANDOM]}
PEERS = {"irace": tune_with_irace, "SMAC3": tune_with_smac, "Optuna": tune_with_optuna}
MODULES = {"SMAC3": "smac", "Optuna": "optuna"}  # modules of the peers in Python
ALL_ARMS = (*OURS, *PEERS)
FEW_SEEDS = {"SMAC3": 5}  # a tuning takes minutes of its own CPU time
_RUNS_FOR_EACH = 20  # largest number of runs for each run of the default in the budget


def why_missing(arm: str) -> str | None:
    """Return what to install; None if the arm is available."""
    if arm in OURS:
        return None
    if arm == "irace":
        return None if is_installed() else "apt-get install r-cran-irace (R and irace 3.5)"
    return None if find_spec(MODULES[arm]) else "pip install --group peers"


def tune_once(arena: Arena, job: Job) -> Row:
    """Tune once; return the true costs of the result and the overhead of the tuning."""
    budget = job.budget * arena.train_cost(arena.default)
    if job.arm in OURS:
        found = attempt(arena, OURS[job.arm], budget=budget, seed=job.seed)
        kept = ("test_cost", "train_cost", "n_runs", "spent", "cpu_s", "cpu_ms_a_run")
        row = {name: found[name] for name in kept} | {"note": ""}
    else:
        row = _tune_peer(arena, job, budget=budget)
    return {**row, "share_spent": round(row["spent"] / budget, 3)}


def _tune_peer(arena: Arena, job: Job, *, budget: float) -> Row:
    solver = MeteredSolver(arena, budget, most_runs=_RUNS_FOR_EACH * job.budget)
    if job.arm in MODULES:
        importlib.import_module(MODULES[job.arm])  # the import is not overhead of the tuning
    start_s = _cpu_s()
    note = ""
    try:
        best = PEERS[job.arm](arena, solver, seed=job.seed)
    except GaveUpError as error:
        best, note = arena.default, str(error)
    cpu_s = _cpu_s() - start_s - solver.cpu_s
    return {
        "test_cost": arena.test_cost(best),
        "train_cost": arena.train_cost(best),
        "n_runs": solver.n_runs,
        "spent": round(solver.spent, 6),
        "cpu_s": round(cpu_s, 2),
        "cpu_ms_a_run": round(1000.0 * cpu_s / max(solver.n_runs, 1), 3),
        "note": note,
    }


def _cpu_s() -> float:
    """Return user and system time of this process and of finished children, such as R."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime
