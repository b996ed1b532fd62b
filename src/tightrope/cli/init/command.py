"""tightrope init: looks around and writes a scenario."""

import shlex
import subprocess
from dataclasses import replace
from pathlib import Path

import click

from tightrope.cli.init.detect import Program, Surroundings, look_around
from tightrope.cli.init.draft import Draft, draft
from tightrope.cli.init.solvers import SOLVERS
from tightrope.cli.runs.write import write_file
from tightrope.cli.terminal import words
from tightrope.cli.terminal.console import Terminal, with_terminal
from tightrope.errors import TightropeError, UsageError

_FILE = Path("scenario.toml")
_KISSAT_FILE = Path("kissat.pcs")
_PATIENCE_S = 10.0


@click.command("init")
@click.option(
    "--from",
    "source",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="Parameters (PCS, irace, ConfigSpace JSON) or a scenario (SMAC, AClib, irace) to begin with.",
)
@click.option("--force", is_flag=True, help="Write over a scenario that is there.")
@with_terminal
def command(source: Path | None, force: bool, terminal: Terminal) -> None:
    """Look around in this folder and write scenario.toml, with comments that teach.

    Looks for a program, parameters (*.pcs, parameters.txt), instances (train/ and test/, or a folder of files
    of one kind) and features (*features*.csv). Nothing is asked, and nothing that is there is written over.

    \b
    tightrope init
    tightrope init --from solver.pcs
    """  # noqa: D301 (click's mark of lines that are to stay as they are)
    _refuse_to_overwrite(_FILE, force=force)
    if source is not None and _is_scenario(source):
        _convert(source, terminal)
        return
    found = look_around(Path())
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
            f"{file} is there already",
            hint="see what is wrong with it:  tightrope check   or begin anew:  tightrope init --force",
        )


def _is_scenario(source: Path) -> bool:
    """Whether a file is a whole scenario, and not just parameters."""
    return source.suffix not in (".pcs", ".json") and _read_parameters(source) is None


def _convert(source: Path, terminal: Terminal) -> None:
    from tightrope.scenario import read_scenario
    from tightrope.scenario.toml.write import write_scenario

    text = write_scenario(read_scenario(source))
    write_file(_FILE, text)
    _report(Draft(text, ()), [f"all of it in {source}"], terminal)


def _read_parameters(file: Path) -> str | None:
    """Say how many parameters a file holds; None if it cannot be read as parameters."""
    from tightrope.scenario.parameter_file import read_parameter_file

    try:
        space = read_parameter_file(file)
    except TightropeError:
        return None
    conditional = len(space.conditional_hyperparameters)
    return f"{len(space)}" + (f", {conditional} conditional" if conditional else "")


def _notes(found: Surroundings) -> list[str]:
    """Say what was found."""
    notes = []
    if found.program is not None:
        solver = found.program.solver
        known = f", called as {solver} likes it" if solver else ""
        about = f"; {SOLVERS[solver].note}" if solver and SOLVERS[solver].note else ""
        notes.append(f"program {found.program.words}{known}{about}{_also(found.other_programs)}")
    if found.parameters is not None:
        held = _read_parameters(Path(found.parameters))
        told = "which cannot be read yet" if held is None else held
        notes.append(f"parameters from {found.parameters}: {told}{_also(found.other_parameters)}")
    if found.instances is not None:
        one = found.instances
        test = f", {one.n_test} for the test" if one.test else ", half of them for the test"
        notes.append(f"{words.count(one.n_train, 'instance')} in {one.train}{test}")
    if found.features is not None:
        notes.append(f"features in {found.features}")
    if found.legacy is not None:
        notes.append(f"{found.legacy}: to take all from it, tightrope init --force --from {found.legacy}")
    return notes


def _also(others: tuple[str, ...]) -> str:
    return f" (also there: {words.listed(list(others), 3)})" if others else ""


def _with_kissat_parameters(
    found: Surroundings, program: Program, *, force: bool
) -> tuple[Surroundings, str]:
    """Write the parameters that Kissat itself tells; if it does not, leave all as it is."""
    from tightrope.cli.init.kissat import read_range, space_of
    from tightrope.scenario import write_pcs

    _refuse_to_overwrite(_KISSAT_FILE, force=force)
    try:
        told = subprocess.run(
            [*shlex.split(program.words), "--range"], capture_output=True, text=True, timeout=_PATIENCE_S
        ).stdout
    except (OSError, subprocess.TimeoutExpired) as error:
        return found, f"{program.words} --range tells no parameters: {error}"
    options = read_range(told)
    space = space_of(options)
    if not len(space):
        return found, f"{program.words} --range tells no parameters that we know"
    write_file(_KISSAT_FILE, write_pcs(space))
    note = (
        f"wrote {_KISSAT_FILE}: {len(space)} of the {len(options)} options that {program.words} --range tells"
    )
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
