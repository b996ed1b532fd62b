"""Four solvers of formulas, and how their options are spelt."""

from collections.abc import Mapping
from typing import Any

from recording.program import Program, find_program
from tightrope.demo.kissat import find_kissat

_MINISAT_FLAGS = {"luby", "pre", "elim", "asymm", "rcheck"}
_CLASP_POLICIES = {
    "heuristic": ("vsids-decay", "vmtf-move", "berkmin-last"),
    "restarts": ("restart-unit", "restart-growth", "restart-quotient"),
    "deletion": ("deletion-share", "deletion-score"),
}


def minisat() -> Program:
    """MiniSat counts propagations; only CPU time can stop it, and it tells its counters then."""
    return Program(
        path=find_program("minisat", package="minisat"),
        options=minisat_options,
        limit="-cpu-lim={}",
        first_limit=2,
        counter=r"propagations\s*: (\d+)",
    )


def minisat_options(config: Mapping[str, Any]) -> list[str]:
    """Spell options as MiniSat does: those that are on or off have no value."""
    spelt = []
    for name, value in config.items():
        if name in _MINISAT_FLAGS:
            spelt.append(f"-{name}" if value == "yes" else f"-no-{name}")
        else:
            spelt.append(f"-{name}={value}")
    return spelt


def clasp() -> Program:
    """Let clasp count conflicts, which also stop it."""
    return Program(
        path=find_program("clasp", package="clasp"),
        options=lambda config: ["--stats", "--quiet=2", "--configuration=crafty", *clasp_options(config)],
        limit="--solve-limit={}",
        first_limit=None,
        counter=r"Conflicts\s*: (\d+)",
    )


def clasp_options(config: Mapping[str, Any]) -> list[str]:
    """Spell options as clasp does: the parts of a policy follow each other, as in --heuristic=Vsids,95."""
    details = {part for parts in _CLASP_POLICIES.values() for part in parts}
    spelt = []
    for name, value in config.items():
        if name == "init-moms":
            spelt.append("--init-moms" if value == "yes" else "--no-init-moms")
        elif name not in details | {"random"}:
            parts = [config[part] for part in _CLASP_POLICIES.get(name, ()) if part in config]
            spelt.append(f"--{name}={','.join(map(str, [value, *parts]))}")
    return spelt


def cadical() -> Program:
    """CaDiCaL counts propagations; conflicts stop it. Random walks propagate nothing and are left out."""
    return Program(
        path=find_program("cadical", package="cadical"),
        options=lambda config: ["-n", "--walk=false", *(f"--{name}={v}" for name, v in config.items())],
        limit="-c {}",
        first_limit=1000,
        counter=r"c propagations:\s+(\d+)",
    )


def kissat() -> Program:
    """Kissat counts memory accesses as ticks, several kinds of them; conflicts stop it."""
    return Program(
        path=str(find_kissat()),
        options=lambda config: ["-n", "--statistics", *(f"--{name}={v}" for name, v in config.items())],
        limit="--conflicts={}",
        first_limit=1000,
        counter=r"c \w+_ticks:\s+(\d+)",
    )
