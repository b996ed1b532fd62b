"""What lies in a folder that a scenario could be made of."""

import os
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tightrope.cli.init.solvers import SOLVERS, solver_of

_FEWEST = 3  # files of one ending that make a folder of instances
_PROGRAM_FOLDERS = (".", "build", "bin")
_SCRIPTS = (".py", ".sh", ".pl", ".rb", "")
_TRAIN = ("train", "training")
_TEST = ("test", "testing", "validation")
_NOT_INSTANCES = {
    "", ".py", ".pyc", ".c", ".h", ".cpp", ".hpp", ".o", ".a", ".so", ".md", ".rst", ".toml", ".cfg", ".log",
    ".sh", ".pcs", ".csv",
}  # fmt: skip
_LEGACY = ("scenario.txt", "scenario.ini")


@dataclass(frozen=True, slots=True)
class Program:
    """Something that can be run: the words that start it, and the known solver that it is."""

    words: str
    solver: str | None = None


@dataclass(frozen=True, slots=True)
class Instances:
    """Instances: patterns of the two sets, and how many match; without a test set, one is to be split off."""

    train: str
    n_train: int
    test: str = ""
    n_test: int = 0


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What was found; None, or nothing, for what was not."""

    program: Program | None = None
    other_programs: tuple[str, ...] = ()
    parameters: str | None = None
    other_parameters: tuple[str, ...] = ()
    instances: Instances | None = None
    features: str | None = None
    legacy: str | None = None


def look_around(folder: Path) -> Surroundings:
    """Look at a folder, and a little below it."""
    instances = _find_instances(folder)
    programs = _find_programs(folder) or _on_path(instances)
    parameters = _find_parameters(folder)
    return Surroundings(
        programs[0] if programs else None,
        tuple(program.words for program in programs[1:]),
        parameters[0] if parameters else None,
        tuple(parameters[1:]),
        instances,
        next((file.name for file in _files(folder) if _is_features(file)), None),
        next((name for name in _LEGACY if (folder / name).is_file()), None),
    )


def _files(folder: Path) -> list[Path]:
    try:
        return sorted(each for each in folder.iterdir() if not each.name.startswith(".") and each.is_file())
    except OSError:  # not there, or not ours to read
        return []


def _folders(folder: Path) -> list[Path]:
    return sorted(each for each in folder.iterdir() if each.is_dir() and not each.name.startswith("."))


def _find_programs(folder: Path) -> list[Program]:
    """Return programs, known solvers first, then binaries, then scripts."""
    found = [
        Program(_call(file, folder), solver_of(file.name))
        for name in _PROGRAM_FOLDERS
        for file in _files(folder / name)
        if os.access(file, os.X_OK) and (file.suffix in _SCRIPTS or solver_of(file.name))
    ]
    return sorted(found, key=lambda program: (program.solver is None, Path(program.words).suffix != ""))


def _call(file: Path, folder: Path) -> str:
    return f"./{file.relative_to(folder).as_posix()}"


def _on_path(instances: Instances | None) -> list[Program]:
    """Return known solvers that are installed and take such instances."""
    if instances is None:
        return []
    return [
        Program(name, name)
        for name, solver in SOLVERS.items()
        if instances.train.endswith(solver.endings) and shutil.which(name)
    ]


def _find_parameters(folder: Path) -> list[str]:
    return [file.name for file in _files(folder) if file.suffix == ".pcs" or _is_irace(file)]


def _is_irace(file: Path) -> bool:
    return file.suffix == ".txt" and file.stem.lower().startswith("parameters")


def _is_features(file: Path) -> bool:
    return file.suffix == ".csv" and "feature" in file.stem.lower()


def _find_instances(folder: Path) -> Instances | None:
    """Return a pair of folders for training and testing, or the fullest folder of files of one kind."""
    roots = [folder, *_folders(folder)]
    for root in roots:
        if (train := _named(root, _TRAIN)) and (pattern := _pattern(train, folder)):
            test = _named(root, _TEST)
            other = _pattern(test, folder) if test else None
            return Instances(*pattern, *(other or ("", 0)))
    found = [
        pattern
        for root in roots[1:]
        for each in (root, *_folders(root))
        if (pattern := _pattern(each, folder))
    ]
    return Instances(*max(found, key=lambda pattern: pattern[1])) if found else None


def _named(root: Path, names: Iterable[str]) -> Path | None:
    return next((each for each in _folders(root) if each.name.lower() in names), None)


def _pattern(folder: Path, base: Path) -> tuple[str, int] | None:
    """Return a pattern for the most frequent ending in a folder, and how many files it matches."""
    endings = Counter(ending for ending in _endings(folder) if ending not in _NOT_INSTANCES)
    if not endings:
        return None
    ending, n_files = endings.most_common(1)[0]
    if n_files < _FEWEST:
        return None
    return f"{folder.relative_to(base).as_posix()}/*{ending}", n_files


def _endings(folder: Path) -> Iterator[str]:
    for file in _files(folder):
        is_packed = file.suffix in (".gz", ".xz", ".bz2")
        yield "".join(file.suffixes[-2:]) if is_packed else file.suffix
