"""Detect the program, parameters, instances and features in a folder."""

import os
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ConfigSpace import ConfigurationSpace

from tightrope.scenario.solvers.solver import read_solver, solver_names, solver_of

_MIN_INSTANCES = 3  # files of one type that make a folder of instances
_PROGRAM_FOLDERS = (".", "build", "bin")
_SCRIPTS = (".py", ".sh", ".pl", ".rb", "")
_TRAIN = ("train", "training")
_TEST = ("test", "testing", "validation")
_NOT_INSTANCES = {
    "", ".py", ".pyc", ".c", ".h", ".cpp", ".hpp", ".o", ".a", ".so", ".md", ".rst", ".toml", ".cfg", ".log",
    ".sh", ".pcs", ".csv",
}  # fmt: skip
_FIRST = (
    "kissat",
    "cadical",
    "minisat",
    "glucose",
    "clasp",
    "highs",
    "cbc",
    "scip",
)  # of several on the PATH
_LEGACY = ("scenario.txt", "scenario.ini")


@dataclass(frozen=True, slots=True)
class Program:
    """An executable: the words that start it, and the known solver it is, if any."""

    words: str
    solver: str | None = None


@dataclass(frozen=True, slots=True)
class Instances:
    """Patterns of the training and test instances, and how many files match; the test set may be empty."""

    train: str
    n_train: int
    test: str = ""
    n_test: int = 0


@dataclass(frozen=True, slots=True)
class Detected:
    """What was found in the folder; None or empty for the rest."""

    program: Program | None = None
    other_programs: tuple[str, ...] = ()
    parameters: str | None = None
    other_parameters: tuple[str, ...] = ()
    instances: Instances | None = None
    features: str | None = None
    legacy: str | None = None
    space: ConfigurationSpace | None = None  # parameters of a known solver


def detect(folder: Path, *, solver: str | None = None) -> Detected:
    """Search a folder and the two levels below it; if the solver is named, for its program only."""
    instances = _find_instances(folder)
    if solver is None:
        programs = _find_programs(folder) or _on_path(instances)
    else:
        here = [program for program in _find_programs(folder) if program.solver == solver]
        programs = here or [Program(solver, solver)]
    parameters = _find_parameters(folder)
    return Detected(
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
    except OSError:  # missing, or not readable
        return []


def _folders(folder: Path) -> list[Path]:
    return sorted(each for each in folder.iterdir() if each.is_dir() and not each.name.startswith("."))


def _find_programs(folder: Path) -> list[Program]:
    """Return programs: known solvers first, then binaries, then scripts."""
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
    """Return known solvers on the PATH that accept these instances."""
    if instances is None:
        return []
    return [
        Program(name, name)
        for name in sorted(solver_names(), key=_preference)
        if instances.train.endswith(read_solver(name).endings) and shutil.which(name)
    ]


def _preference(name: str) -> tuple[int, str]:
    """Sort solvers that the user is most likely to mean first."""
    return (_FIRST.index(name) if name in _FIRST else len(_FIRST), name)


def _find_parameters(folder: Path) -> list[str]:
    return [file.name for file in _files(folder) if file.suffix == ".pcs" or _is_irace(file)]


def _is_irace(file: Path) -> bool:
    return file.suffix == ".txt" and file.stem.lower().startswith("parameters")


def _is_features(file: Path) -> bool:
    return file.suffix == ".csv" and "feature" in file.stem.lower()


def _find_instances(folder: Path) -> Instances | None:
    """Return a pair of training and test folders, or else the folder with the most files of one type."""
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
    """Return a pattern for the most frequent suffix in a folder, and how many files it matches."""
    endings = Counter(ending for ending in _endings(folder) if ending not in _NOT_INSTANCES)
    if not endings:
        return None
    ending, n_files = endings.most_common(1)[0]
    if n_files < _MIN_INSTANCES:
        return None
    return f"{folder.relative_to(base).as_posix()}/*{ending}", n_files


def _endings(folder: Path) -> Iterator[str]:
    for file in _files(folder):
        is_packed = file.suffix in (".gz", ".xz", ".bz2")
        yield "".join(file.suffixes[-2:]) if is_packed else file.suffix
