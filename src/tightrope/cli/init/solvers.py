"""Well-known solvers: how to call each, and how to read its answer."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Solver:
    """Command line and answer of a solver.

    Attributes
    ----------
    arguments : str
        Arguments of the command, with placeholders.
    answer : str
        The scenario's `answer`, as TOML.
    style, flags : str
        Format of parameters; empty: the scenario's default.
    endings : tuple of str
        Suffixes of the files it reads.
    note : str
        A remark for the user.
    """

    arguments: str
    answer: str
    style: str = ""
    flags: str = ""
    endings: tuple[str, ...] = (".cnf", ".cnf.gz", ".cnf.xz")
    note: str = ""


def _pattern(solution: str) -> str:
    """Return an answer that requires a match of the expression: these exit codes carry no result."""
    return f"{{ kind = \"pattern\", solution = '(?s){solution}' }}"


_SAT = '"sat"'
_MIP_FILES = (".mps", ".mps.gz", ".lp")
# Seed 0 is not valid for MiniSat and its descendants, so they get no seed.
_MINISAT = Solver("-verb=0 {parameters} {instance}", _SAT, "-{name}={value}", "-{name}/-no-{name}")

SOLVERS: Mapping[str, Solver] = {
    "kissat": Solver("-q --seed={seed} {parameters} {instance}", _SAT),
    "cadical": Solver("-q --seed={seed} {parameters} {instance}", _SAT),
    "minisat": _MINISAT,
    "glucose": _MINISAT,
    "clasp": Solver(
        "-V0 --seed={seed} {parameters} {instance}",
        # 30: a model was found, and it is the only one.
        '{ kind = "exit", solutions = { 10 = "SAT", 20 = "UNSAT", 30 = "SAT" } }',
        endings=(".cnf", ".cnf.gz", ".lp", ".aspif"),
    ),
    "highs": Solver(
        "--random_seed {seed} {parameters} {instance}",
        _pattern(r"tatus\s*:?\s+Optimal.*?(?:Primal bound|Objective value)\s*:?\s+(\S+)"),
        style="--{name} {value}",
        endings=_MIP_FILES,
        note="most options of HiGHS must be in a file, which takes a wrapper",
    ),
    "cbc": Solver(
        # Cbc takes seed 0 as the time of day, so it gets no seed.
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
