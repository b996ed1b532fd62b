"""Well-known solvers: how each is called, and how it answers."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Solver:
    """How a solver is called.

    Attributes
    ----------
    arguments : str
        What follows the program in the command, with placeholders.
    answer : str
        The scenario's `answer`, as TOML.
    style, flags : str
        How parameters are written; empty: as usual.
    endings : tuple of str
        Of the files it takes.
    note : str
        What one should know besides.
    """

    arguments: str
    answer: str
    style: str = ""
    flags: str = ""
    endings: tuple[str, ...] = (".cnf", ".cnf.gz", ".cnf.xz")
    note: str = ""


def _pattern(solution: str) -> str:
    """Return the answer that an expression finds, and must find: exit codes of these tell nothing."""
    return f"{{ kind = \"pattern\", solution = '(?s){solution}' }}"


_SAT = '"sat"'
_MIP_FILES = (".mps", ".mps.gz", ".lp")
# Seed 0 is no seed for MiniSat and its descendants, so that they get none.
_MINISAT = Solver("-verb=0 {parameters} {instance}", _SAT, "-{name}={value}", "-{name}/-no-{name}")

SOLVERS: Mapping[str, Solver] = {
    "kissat": Solver("-q --seed={seed} {parameters} {instance}", _SAT),
    "cadical": Solver("-q --seed={seed} {parameters} {instance}", _SAT),
    "minisat": _MINISAT,
    "glucose": _MINISAT,
    "clasp": Solver(
        "-V0 --seed={seed} {parameters} {instance}",
        # 30: a model was found, and there is no other.
        '{ kind = "exit", solutions = { 10 = "SAT", 20 = "UNSAT", 30 = "SAT" } }',
        endings=(".cnf", ".cnf.gz", ".lp", ".aspif"),
    ),
    "highs": Solver(
        "--random_seed {seed} {parameters} {instance}",
        _pattern(r"tatus\s*:?\s+Optimal.*?(?:Primal bound|Objective value)\s*:?\s+(\S+)"),
        style="--{name} {value}",
        endings=_MIP_FILES,
        note="most options of HiGHS need a file, and thus a wrapper",
    ),
    "cbc": Solver(
        # Seed 0 is the time of day for Cbc, so that it gets none.
        "{instance} {parameters} -solve -quit",
        _pattern(r"Optimal solution found.*?Objective value:\s+(\S+)"),
        style="-{name} {value}",
        endings=_MIP_FILES,
    ),
    "scip": Solver(
        "-c 'read {instance}' -c 'set randomization randomseedshift {seed}' {parameters} -c optimize -c quit",
        _pattern(r"\[optimal solution found\].*?Primal Bound\s+:\s+(\S+)"),
        style="-c 'set {name} {value}'",
        endings=_MIP_FILES,
    ),
}


def solver_of(program: str) -> str | None:
    """Return the known solver that a program's name begins with.

    >>> solver_of("kissat-4.0.1"), solver_of("Glucose_static"), solver_of("mysolver")
    ('kissat', 'glucose', None)
    """
    return next((name for name in SOLVERS if program.lower().startswith(name)), None)
