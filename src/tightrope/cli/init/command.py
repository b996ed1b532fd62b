"""The verb init: write a scenario for the program in this folder."""

import subprocess
from dataclasses import replace
from pathlib import Path

import click

from tightrope.cli.files import write_file, write_scenario_file
from tightrope.cli.init.detect import Detected, Program, detect
from tightrope.cli.init.draft import Draft, draft
from tightrope.cli.init.solvers import SOLVERS
from tightrope.cli.terminal import words
from tightrope.cli.terminal.console import Terminal, with_terminal
from tightrope.errors import TightropeError, UsageError

_FILE = Path("scenario.toml")
_KISSAT_FILE = Path("kissat.pcs")
_RANGE_TIMEOUT_S = 10.0


@click.command("init")
@click.option(
    "--from",
    "source",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="Parameters (PCS, irace, ConfigSpace JSON) or a scenario (SMAC, AClib, irace) to start from.",
)
@click.option("--force", is_flag=True, help="Overwrite an existing scenario.toml.")
@with_terminal
def command(source: Path | None, force: bool, terminal: Terminal) -> None:
    """Write a commented scenario.toml for the program in this folder.

    Detects a program, parameters (*.pcs, parameters.txt), instances (train/ and test/, or a folder of files
    of one type) and features (*features*.csv). Asks no questions, and overwrites nothing.

    If the program it finds is named like a solver that prints its own options, such as kissat, init runs it
    with --range or --help to read them. It runs no other program.

    \b
    Examples:
      tightrope init
      tightrope init --from solver.pcs
    """  # noqa: D301 (click needs the character \b, which keeps line breaks)
    _refuse_to_overwrite(_FILE, force=force)
    if source is not None and _is_scenario(source):
        _convert(source, terminal)
        return
    found = detect(Path())
    if source is not None:
        found = replace(found, parameters=source.as_posix(), other_parameters=())
    notes = _notes(found)
    if found.parameters is None and found.program is not None and found.program.solver == "kissat":
        found, note = _with_kissat_parameters(found, found.program, force=force)
        notes += [note]
    written = draft(found)
    write_file(_FILE, written.text)
    _report(written, notes, terminal)


def _refuse_to_overwrite(file: Path, *, force: bool) -> None:
    if file.exists() and not force:
        raise UsageError(
            f"{file} already exists",
            hint="test it:  tightrope check   or overwrite it:  tightrope init --force",
        )


def _is_scenario(source: Path) -> bool:
    """Whether a file is a scenario rather than a list of parameters."""
    return source.suffix not in (".pcs", ".json") and _read_parameters(source) is None


def _convert(source: Path, terminal: Terminal) -> None:
    from tightrope.scenario import read_scenario
    from tightrope.scenario.toml.write import write_scenario

    text = write_scenario(read_scenario(source))
    write_scenario_file(_FILE, text.encode("utf-8", "surrogateescape"))
    _report(Draft(text, ()), [f"a complete scenario in {source}"], terminal)


def _read_parameters(file: Path) -> str | None:
    """Describe how many parameters a file has; None if it cannot be read as parameters."""
    from tightrope.scenario.parameter_file import read_parameter_file

    try:
        space = read_parameter_file(file)
    except TightropeError:
        return None
    conditional = len(space.conditional_hyperparameters)
    return f"{len(space)}" + (f", {conditional} conditional" if conditional else "")


def _notes(found: Detected) -> list[str]:
    """Describe what was detected, one note per item."""
    notes = []
    if found.program is not None:
        solver = found.program.solver
        known = f" (known solver: {solver})" if solver else ""
        about = f"; {SOLVERS[solver].note}" if solver and SOLVERS[solver].note else ""
        notes.append(f"program {found.program.words}{known}{about}{_also(found.other_programs)}")
    if found.parameters is not None:
        number = _read_parameters(Path(found.parameters)) or "cannot be read yet, see `tightrope check`"
        notes.append(f"parameters in {found.parameters}: {number}{_also(found.other_parameters)}")
    if found.instances is not None:
        one = found.instances
        test = f", and {one.n_test} for the test" if one.test else ", half of them for the test"
        notes.append(f"{words.count(one.n_train, 'instance')} in {one.train}{test}")
    if found.features is not None:
        notes.append(f"features in {found.features}")
    if found.legacy is not None:
        notes.append(f"{found.legacy}; to convert it:  tightrope init --force --from {found.legacy}")
    return notes


def _also(others: tuple[str, ...]) -> str:
    return f" (also found: {words.listed(list(others), 3)})" if others else ""


def _with_kissat_parameters(found: Detected, program: Program, *, force: bool) -> tuple[Detected, str]:
    """Write the parameters that `kissat --range` prints; without them, change nothing."""
    from tightrope.cli.init.kissat import read_range, space_of
    from tightrope.scenario import write_pcs

    _refuse_to_overwrite(_KISSAT_FILE, force=force)
    try:
        printed = subprocess.run(
            [program.words, "--range"], capture_output=True, timeout=_RANGE_TIMEOUT_S
        ).stdout.decode("utf-8", "replace")
    except (OSError, subprocess.TimeoutExpired) as error:
        return found, f"no parameters: {program.words} --range failed: {error}"
    options = read_range(printed)
    space = space_of(options)
    if not len(space):
        return found, f"no known parameters in the output of {program.words} --range"
    write_file(_KISSAT_FILE, write_pcs(space))
    note = f"wrote {_KISSAT_FILE}: {len(space)} of the {len(options)} options of {program.words} --range"
    return replace(found, parameters=_KISSAT_FILE.name), note


def _report(written: Draft, notes: list[str], terminal: Terminal) -> None:
    n_lines = written.text.count("\n")
    for note in notes:
        terminal.say(f"found {note}" if not note.startswith("wrote") else note)
    terminal.result(f"wrote {_FILE} ({words.count(n_lines, 'line')})")
    edits = [f"`{key}` in line {line}" for key, line in written.to_edit]
    then = "tightrope check"
    terminal.data({"wrote": str(_FILE), "found": notes, "edit": dict(written.to_edit), "next": then})
    terminal.say(f"next: set {_joined(edits)}, then  {then}" if edits else f"next:  {then}")


def _joined(parts: list[str]) -> str:
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last
