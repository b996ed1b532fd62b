"""What can be seen without running anything: parameters, instances and their files."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tightrope.errors import Finding
from tightrope.preflight.report import Line, error, warning
from tightrope.run import CommandTarget, Target
from tightrope.run.template import Slot
from tightrope.scenario.scenario import Scenario
from tightrope.space import Space

_FEW_INSTANCES = 10
_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class Files:
    """Which instances are files.

    Attributes
    ----------
    folder : Path
        Where the command runs, and relative names begin.
    readable : frozenset of str
        Instances that can be read.
    missing, unreadable : tuple of str
        Those that are not there, and those that may not be read.
    """

    folder: Path
    readable: frozenset[str] = frozenset()
    missing: tuple[str, ...] = ()
    unreadable: tuple[str, ...] = ()


def scenario_line(scenario: Scenario, target: Target | None) -> Line:
    """Count parameters, and see whether each can reach the command."""
    space = Space.of(scenario.space)
    n_conditional = len(space.configspace.conditional_hyperparameters)
    names = "1 parameter" if len(space.names) == 1 else f"{len(space.names)} parameters"
    conditional = f", {n_conditional} conditional" if n_conditional else ""
    lost = _unplaced(space, target) if isinstance(target, CommandTarget) else []
    return Line("scenario", f"{names}{conditional}, default is legal", tuple(_of_lost(lost, space)))


def _unplaced(space: Space, target: CommandTarget) -> list[str]:
    places = {piece.name for word in target.template.words for piece in word if isinstance(piece, Slot)}
    return [] if "parameters" in places else [name for name in space.names if name not in places]


def _of_lost(lost: list[str], space: Space) -> list[Finding]:
    hint = "write {parameters} where the program takes its options"
    if not lost:
        return []
    if len(lost) == len(space.names):
        return [error("C02", "command", "no parameter reaches the command", hint)]
    return [warning("C01", "command", f"not in the command: {_named(lost)}", hint)]


def look_at_files(scenario: Scenario, target: Target | None) -> Files:
    """See which instances are files; for a target that is no command none needs to be one."""
    if not isinstance(target, CommandTarget):
        return Files(Path())
    folder = Path(target.cwd or "")
    names = [name for name in (*scenario.instances, *scenario.test) if name]
    found = [name for name in names if (folder / name).exists()]
    readable = frozenset(name for name in found if os.access(folder / name, os.R_OK))
    return Files(
        folder,
        readable,
        tuple(name for name in names if name not in set(found)),
        tuple(name for name in found if name not in readable),
    )


def instances_line(scenario: Scenario, files: Files) -> Line:
    """Count instances, and see whether they are there, whether the two sets overlap, and have features."""
    train, test = scenario.instances, scenario.test
    if list(train) == [""]:
        return Line("instances", "none: the target is run by itself")
    both = sorted({_real(name, files) for name in train} & {_real(name, files) for name in test})
    parts = [f"{len(train)} train, {len(test)} test"]
    parts += ["no overlap"] if test and not both else []
    parts += ["features for all"] if scenario.features is not None else []
    is_file = bool(files.readable or files.unreadable)
    parts += ["taken as names, as none is a file"] if files.missing and not is_file else []
    findings = [
        *(_of_files(files) if is_file else []),
        *([_of_overlap(both)] if both else []),
        *_of_counts(len(train), len(test)),
    ]
    return Line("instances", ", ".join(parts), tuple(findings))


def _of_files(files: Files) -> list[Finding]:
    found = []
    for names, what in ((files.missing, "missing"), (files.unreadable, "not readable")):
        if names:
            number = f"{len(names)} {'is' if len(names) == 1 else 'are'} {what}: {_named(names)}"
            found.append(error("C03", "instances", number, f"looked for in {files.folder.absolute()}"))
    return found


def _of_overlap(both: Sequence[str]) -> Finding:
    message = f"{len(both)} in train and in test: {_named(both)}"
    return warning("C04", "instances", message, "leave out of one of the two")


def _of_counts(n_train: int, n_test: int) -> list[Finding]:
    found = []
    if n_train < _FEW_INSTANCES:
        message = f"few to learn from: what suits {n_train} may suit no other"
        found.append(warning("C06", "instances", message, "take 24 or more"))
    if n_test == 0:
        found.append(warning("C05", "instances", "none to test on", "keep some aside as instances.test"))
    return found


def _real(name: str, files: Files) -> str:
    return os.path.realpath(files.folder / name) if name in files.readable else name


def _named(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(names[:_MOST_NAMED]) + more
