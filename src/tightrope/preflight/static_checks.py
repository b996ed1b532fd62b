"""Checks that run nothing: parameters, instances and their files."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tightrope.errors import Finding
from tightrope.preflight.report import CheckLine, error, warning
from tightrope.run import CommandTarget, Target
from tightrope.run.template import Slot
from tightrope.scenario.scenario import Scenario
from tightrope.space import Space

_FEW_INSTANCES = 10
_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class InstanceFiles:
    """Which instances are files, and which of them can be read.

    Attributes
    ----------
    folder : Path
        Working directory of the command, to which names are relative.
    readable : frozenset of str
        Instances whose files can be read.
    missing, unreadable : tuple of str
        Instances without a file, and those whose file cannot be read.
    """

    folder: Path
    readable: frozenset[str] = frozenset()
    missing: tuple[str, ...] = ()
    unreadable: tuple[str, ...] = ()


def check_scenario(scenario: Scenario, target: Target | None) -> CheckLine:
    """Count parameters, and check that each reaches the command."""
    space = Space.of(scenario.space)
    n_conditional = len(space.configspace.conditional_hyperparameters)
    names = "1 parameter" if len(space.names) == 1 else f"{len(space.names)} parameters"
    conditional = f", {n_conditional} conditional" if n_conditional else ""
    unplaced = _unplaced(space, target) if isinstance(target, CommandTarget) else []
    return CheckLine(
        "scenario", f"{names}{conditional}, default is legal", tuple(_unplaced_findings(unplaced, space))
    )


def _unplaced(space: Space, target: CommandTarget) -> list[str]:
    places = {piece.name for word in target.template.words for piece in word if isinstance(piece, Slot)}
    return [] if "parameters" in places else [name for name in space.names if name not in places]


def _unplaced_findings(unplaced: list[str], space: Space) -> list[Finding]:
    hint = "write {parameters} where the program takes its options"
    if not unplaced:
        return []
    if len(unplaced) == len(space.names):
        return [error("C02", "command", "no parameter reaches the command", hint)]
    return [warning("C01", "command", f"not in the command: {_listed(unplaced)}", hint)]


def find_files(scenario: Scenario, target: Target | None) -> InstanceFiles:
    """Find out which instances are files; only a command needs files."""
    if not isinstance(target, CommandTarget):
        return InstanceFiles(Path())
    folder = Path(target.cwd or "")
    names = [name for name in (*scenario.instances, *scenario.test) if name]
    found = [name for name in names if (folder / name).exists()]
    readable = frozenset(name for name in found if os.access(folder / name, os.R_OK))
    return InstanceFiles(
        folder,
        readable,
        tuple(name for name in names if name not in set(found)),
        tuple(name for name in found if name not in readable),
    )


def check_instances(scenario: Scenario, files: InstanceFiles) -> CheckLine:
    """Count instances; check their files, the overlap of the two sets, and features."""
    train, test = scenario.instances, scenario.test
    if list(train) == [""]:
        return CheckLine("instances", "none: the target runs without an instance")
    both = sorted({_real(name, files) for name in train} & {_real(name, files) for name in test})
    parts = [f"{len(train)} train, {len(test)} test"]
    parts += ["no overlap"] if test and not both else []
    parts += ["features for all"] if scenario.features is not None else []
    is_file = bool(files.readable or files.unreadable)
    parts += ["used as names: none is a file"] if files.missing and not is_file else []
    findings = [
        *(_file_findings(files) if is_file else []),
        *([_overlap_finding(both)] if both else []),
        *_count_findings(len(train), len(test)),
    ]
    return CheckLine("instances", ", ".join(parts), tuple(findings))


def _file_findings(files: InstanceFiles) -> list[Finding]:
    found = []
    for names, what in ((files.missing, "missing"), (files.unreadable, "not readable")):
        if names:
            number = f"{len(names)} {'is' if len(names) == 1 else 'are'} {what}: {_listed(names)}"
            found.append(error("C03", "instances", number, f"looked for in {files.folder.absolute()}"))
    return found


def _overlap_finding(both: Sequence[str]) -> Finding:
    message = f"{len(both)} in train and in test: {_listed(both)}"
    return warning("C04", "instances", message, "remove them from one of the two")


def _count_findings(n_train: int, n_test: int) -> list[Finding]:
    found = []
    if n_train < _FEW_INSTANCES:
        message = f"only {n_train} to train on: a config that suits them may not suit others"
        found.append(warning("C06", "instances", message, "use 24 or more"))
    if n_test == 0:
        found.append(warning("C05", "instances", "none to test on", "set some aside as instances.test"))
    return found


def _real(name: str, files: InstanceFiles) -> str:
    return os.path.realpath(files.folder / name) if name in files.readable else name


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(names[:_MOST_NAMED]) + more
