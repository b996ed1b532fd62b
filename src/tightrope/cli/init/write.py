"""What the verb init does: detect, ask the solver for its parameters, and write the scenario."""

from dataclasses import replace
from functools import partial
from pathlib import Path

from tightrope.cli.files import write_file, write_scenario_file
from tightrope.cli.init.detect import Detected, detect
from tightrope.cli.init.draft import Draft, draft
from tightrope.cli.init.known import with_parameters
from tightrope.cli.terminal import words
from tightrope.cli.terminal.console import Terminal
from tightrope.errors import TightropeError, UsageError
from tightrope.scenario.solvers.solver import read_solver, solver_names

_FILE = Path("scenario.toml")


def write(source: Path | None, solver: str | None, terminal: Terminal, *, force: bool) -> None:
    """Write scenario.toml, and parameters that a solver prints."""
    if solver is not None and solver not in solver_names():
        raise UsageError(
            f"--solver: {solver!r} is not known", hint=f"known solvers: {', '.join(solver_names())}"
        )
    _refuse_to_overwrite(_FILE, force=force)
    if source is not None and _is_scenario(source):
        _convert(source, terminal)
        return
    found = detect(Path(), solver=solver)
    if source is not None:
        found = replace(found, parameters=source.as_posix(), other_parameters=())
    notes = _notes(found)
    if found.parameters is None and found.program is not None and found.program.solver is not None:
        found, note = with_parameters(
            found, found.program, may_write=partial(_refuse_to_overwrite, force=force)
        )
        notes += [note] if note else []
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
        remark = read_solver(solver).note if solver else ""
        about = f"; {remark}" if remark else ""
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
