"""Parameters of a known solver: as the installed program prints them, or as tightrope knows them."""

import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from tightrope.cli.files import write_file
from tightrope.cli.init.detect import Detected, Program
from tightrope.scenario import write_pcs
from tightrope.scenario.solvers.solver import Printed, Solver, read_solver

_TIMEOUT_S = 10.0


def with_parameters(
    found: Detected, program: Program, *, may_write: Callable[[Path], None]
) -> tuple[Detected, str]:
    """Return what was found with the solver's parameters, and a note; without parameters, change nothing.

    Options that the program prints are written to a file, unless they need a format of their own for flags.
    `may_write` raises an error if a file exists.
    """
    if program.solver is None:
        return found, ""
    solver = read_solver(program.solver)
    if solver.space is not None:
        note = f"known parameters of {program.solver}: {len(solver.space)}"
        return replace(found, space=solver.space), note
    if solver.printed is None:
        return found, ""
    return _with_printed(found, program, solver, solver.printed, may_write=may_write)


def _with_printed(
    found: Detected, program: Program, solver: Solver, printed: Printed, *, may_write: Callable[[Path], None]
) -> tuple[Detected, str]:
    file = Path(f"{program.solver}.pcs")
    is_inline = bool(solver.flags)
    if not is_inline:
        may_write(file)
    words = [program.words, *printed.arguments]
    try:
        ended = subprocess.run(words, capture_output=True, stdin=subprocess.DEVNULL, timeout=_TIMEOUT_S)
    except (OSError, subprocess.TimeoutExpired) as error:
        return found, f"no parameters: {' '.join(words)} failed: {error}"
    options = printed.options((ended.stdout + b"\n" + ended.stderr).decode("utf-8", "replace"))
    space = printed.space(options)
    if not len(space):
        return found, f"no known parameters in the output of {' '.join(words)}"
    of_these = f"{len(space)} of the {len(options)} options of {' '.join(words)}"
    if is_inline:
        return replace(found, space=space), of_these
    write_file(file, write_pcs(space))
    return replace(found, parameters=file.name), f"wrote {file}: {of_these}"
