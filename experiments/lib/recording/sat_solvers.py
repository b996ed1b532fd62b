"""Four SAT solvers and the syntax of their options."""

from collections.abc import Mapping
from typing import Any

from lib.recording.program import Program, find_program
from tightrope.demo.kissat import find_kissat

_MINISAT_FLAGS = {"luby", "pre", "elim", "asymm", "rcheck"}
_CLASP_POLICIES = {
    "heuristic": ("vsids-decay", "vmtf-move", "berkmin-last"),
    "restarts": ("restart-unit", "restart-growth", "restart-quotient"),
    "deletion": ("deletion-share", "deletion-score"),
}


def minisat() -> Program:
    """Return MiniSat: its cost is propagations; a CPU time limit stops it, after which it prints counters."""
    return Program(
        path=find_program("minisat", package="minisat"),
        options=minisat_options,
        limit="-cpu-lim={}",
        first_limit=2,
        counter=r"propagations\s*: (\d+)",
    )


def minisat_options(config: Mapping[str, Any]) -> list[str]:
    """Return options in MiniSat's syntax: flags have no value."""
    words = []
    for name, value in config.items():
        if name in _MINISAT_FLAGS:
            words.append(f"-{name}" if value == "yes" else f"-no-{name}")
        else:
            words.append(f"-{name}={value}")
    return words


def clasp() -> Program:
    """Return clasp: its cost is conflicts, which it can also limit."""
    return Program(
        path=find_program("clasp", package="clasp"),
        options=lambda config: ["--stats", "--quiet=2", "--configuration=crafty", *clasp_options(config)],
        limit="--solve-limit={}",
        first_limit=None,
        counter=r"Conflicts\s*: (\d+)",
    )


def clasp_options(config: Mapping[str, Any]) -> list[str]:
    """Return options in clasp's syntax: the parts of a policy are joined, as in --heuristic=Vsids,95."""
    details = {part for parts in _CLASP_POLICIES.values() for part in parts}
    words = []
    for name, value in config.items():
        if name == "init-moms":
            words.append("--init-moms" if value == "yes" else "--no-init-moms")
        elif name not in details | {"random"}:
            parts = [config[part] for part in _CLASP_POLICIES.get(name, ()) if part in config]
            words.append(f"--{name}={','.join(map(str, [value, *parts]))}")
    return words


def cadical() -> Program:
    """Return CaDiCaL: its cost is propagations, its limit conflicts. Random walks are off: no cost."""
    return Program(
        path=find_program("cadical", package="cadical"),
        options=lambda config: ["-n", "--walk=false", *(f"--{name}={v}" for name, v in config.items())],
        limit="-c {}",
        first_limit=1000,
        counter=r"c propagations:\s+(\d+)",
    )


def kissat() -> Program:
    """Return Kissat: its cost is ticks, which count memory accesses of several kinds; its limit conflicts."""
    return Program(
        path=str(find_kissat()),
        options=lambda config: ["-n", "--statistics", *(f"--{name}={v}" for name, v in config.items())],
        limit="--conflicts={}",
        first_limit=1000,
        counter=r"c \w+_ticks:\s+(\d+)",
    )
