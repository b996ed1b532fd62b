"""Reader of SMAC and ParamILS instance files: each line has an optional seed, a name, optional specifics."""

import os
from dataclasses import dataclass, field
from pathlib import Path

from tightrope.scenario.instances import read_names
from tightrope.scenario.text.source import Piece, Source


@dataclass(frozen=True, slots=True)
class Listing:
    """The specifics of each instance (empty if it has none), and the seeds that all instances share."""

    specifics: dict[str, str] = field(default_factory=dict)
    seeds: tuple[int, ...] | None = None


def read_listing(source: Source, *, has_seeds: bool, root: Path, cwd: str) -> Listing:
    """Read an instance file.

    Parameters
    ----------
    source : Source
        The text of the file.
    has_seeds : bool
        Whether each line starts with a seed.
    root : Path
        The folder to try for paths that do not exist in `cwd`.
    cwd : str
        The folder in which the command runs. Returned paths are relative to it.
    """
    lines: dict[str, Piece] = {}
    specifics: dict[str, str] = {}
    seeds: dict[str, set[int]] = {}
    for piece in read_names(source):
        rest, seed = _take_seed(piece) if has_seeds else (piece, None)
        name, more = _take_name(rest, root, cwd)
        if name in lines and (seed is None or seed in seeds[name] or specifics[name] != more):
            raise piece.error(
                f"duplicate instance {name!r}, first in line {lines[name].line}", hint="remove one of the two"
            )
        lines.setdefault(name, piece)
        specifics[name] = more
        seeds.setdefault(name, set()).update(() if seed is None else (seed,))
    if not lines:
        raise Piece("", source, 1, 1).error("the file has no instances", hint="write one on each line")
    first = seeds[next(iter(lines))]
    for name, line in lines.items():
        if seeds[name] != first:
            raise line.error(
                "instances with different seeds are not supported", hint="give all instances the same seeds"
            )
    return Listing(specifics, tuple(sorted(first)) if has_seeds else None)


def _take_seed(piece: Piece) -> tuple[Piece, int]:
    seed, _, rest = piece.text.partition(" ")
    if not (seed.isascii() and seed.isdigit() and len(seed) < 19 and rest.strip()):
        raise piece.error("expected a seed and an instance", hint="write for example: 1 instances/a.cnf")
    return piece.cut(len(seed)).strip(), int(seed)


def _take_name(piece: Piece, root: Path, cwd: str) -> tuple[str, str]:
    if _is_file(piece.text, root, cwd):  # its name may contain whitespace
        return _path_from_cwd(piece.text, root, cwd), ""
    name, *more = piece.text.split(maxsplit=1)
    return _path_from_cwd(name, root, cwd), more[0] if more else ""


def _is_file(name: str, root: Path, cwd: str) -> bool:
    return os.path.exists(os.path.join(cwd, name)) or os.path.exists(root / name)


def _path_from_cwd(name: str, root: Path, cwd: str) -> str:
    if not os.path.exists(os.path.join(cwd, name)) and os.path.exists(root / name):
        return os.path.relpath(root / name, cwd)
    return name
