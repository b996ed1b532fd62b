"""Reader of the key `instances`: patterns, lists and files to names, split into training and test."""

import glob
import os
import random
import stat
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tightrope.scenario.text.faults import Faults
from tightrope.scenario.text.source import Piece, Source
from tightrope.scenario.toml.entry import Entry, refuse_unknown

_FORMS = 'write a pattern such as "train/*.cnf", a list of names or patterns, or { file = "names.txt" }'
_NOTHING = 0  # the mode of a file that does not exist


@dataclass(frozen=True, slots=True)
class Instances:
    """Names of the training and the test instances."""

    train: tuple[str, ...]
    test: tuple[str, ...] = ()


def read_instances(entry: Entry, split: Entry | None, *, folder: Path) -> Instances:
    """Read all forms of the key 'instances', with or without a split.

    Parameters
    ----------
    entry : Entry
        A pattern, a list, a table with a file, or a table with any of these for `train` and `test`.
    split : Entry or None
        The share or number of instances to set aside for testing.
    folder : Path
        The folder that relative paths start from.
    """
    faults = Faults()
    if not (isinstance(entry.value, dict) and "file" not in entry.value):
        names = _names(entry, folder)
        return Instances(names) if split is None else _split(names, split)
    if split is not None:
        raise split.error(
            "`split` cannot be combined with a table of `train` and `test`",
            hint="remove `split`, or give `instances` as one pattern or list",
        )
    parts = entry.table()
    refuse_unknown(parts, ("train", "test", "file"), what="key in `instances`")
    if "train" not in parts:
        raise entry.error("the key `train` is missing", hint='add train = "train/*.cnf"')
    found: dict[str, tuple[str, ...]] = {}
    for key, part in parts.items():
        with faults.collecting():
            found[key] = _names(part, folder)
    faults.raise_if_any()
    instances = Instances(found["train"], found.get("test", ()))
    refuse_overlap(instances, parts.get("test", entry).where, folder=folder)
    return instances


def refuse_overlap(instances: Instances, where: Piece, *, folder: Path) -> None:
    """Raise an error if an instance is in both sets, even under two names for the same file."""
    if not instances.test:
        return
    parents: dict[str, str] = {}
    training = {_real(name, folder, parents) for name in instances.train}
    both = [name for name in instances.test if _real(name, folder, parents) in training]
    if both:
        more = f" and {len(both) - 1} more" if len(both) > 1 else ""
        raise where.error(
            f"used for both training and testing: {both[0]!r}{more}",
            key="instances",
            hint="test on instances that are not used for training",
        )


def read_names(source: Source) -> Iterator[Piece]:
    """Yield the text of each line, except empty lines and lines that begin with '#'."""
    for number, line in enumerate(source.lines, start=1):
        piece = Piece(line, source, number, 1).strip()
        if piece.text and not piece.text.startswith("#"):
            piece.refuse_invisible()
            yield piece


def require_unique(names: Sequence[Piece]) -> tuple[str, ...]:
    """Return the names, which must be unique."""
    first: dict[str, Piece] = {}
    for name in names:
        if first.setdefault(name.text, name) is not name:
            raise name.error(
                f"duplicate instance {name.text!r}, first in line {first[name.text].line}",
                key="instances",
                hint="remove one of the two",
            )
    return tuple(first)


def _names(entry: Entry, folder: Path) -> tuple[str, ...]:
    match entry.value:
        case str():
            names = _expand(entry, folder)
        case list():
            names = _expand_all(entry, folder)
        case {"file": _}:
            parts = entry.table()
            refuse_unknown(parts, ("file",), what="key")
            names = list(require_unique(list(read_names(_source(parts["file"], folder)))))
        case _:
            entry.refuse("instances", hint=_FORMS)
    if not names:
        raise entry.error("the list of instances is empty", hint=_FORMS)
    return tuple(names)


def _source(entry: Entry, folder: Path) -> Source:
    path = folder / entry.text("a path in quotes")
    if not os.path.isfile(path):
        raise entry.error(f"there is no file {str(path)!r}", hint="check the path")
    return Source.of_file(path)


def _expand_all(entry: Entry, folder: Path) -> list[str]:
    """Expand the patterns in a list. If one plain name is a file, all plain names must be files."""
    faults, names = Faults(), dict[str, None]()
    items, base = entry.items(), os.fspath(folder)
    modes = [_mode(os.path.join(base, item.value)) if _is_plain(item) else None for item in items]
    are_files = any(mode is not None and stat.S_ISREG(mode) for mode in modes)
    for item, mode in zip(items, modes, strict=True):
        with faults.collecting():
            if are_files and mode == _NOTHING:
                raise item.error(
                    f"there is no file {item.value!r}",
                    hint="check the spelling; other names in the list are files",
                )
            found = _expand(item, folder) if mode is None or stat.S_ISDIR(mode) else [_checked(item)]
            _refuse_repeats(item, found, names)
            names.update(dict.fromkeys(found))
    faults.raise_if_any()
    return list(names)


def _mode(path: str) -> int:
    """Return the mode of a file, 0 if there is none."""
    try:
        return os.stat(path).st_mode
    except (OSError, ValueError):
        return _NOTHING


def _refuse_repeats(item: Entry, found: Sequence[str], known: Container[str]) -> None:
    again = [name for name in found if name in known]
    if again:
        more = f" and {len(again) - 1} more" if len(again) > 1 else ""
        raise item.error(f"already in the list: {again[0]!r}{more}", hint="list each instance once")


def _is_plain(item: Entry) -> bool:
    return isinstance(item.value, str) and not glob.has_magic(item.value)


def _checked(entry: Entry) -> str:
    name = entry.text("a name or a pattern in quotes", hint=_FORMS)
    if not name or not name.isprintable():
        raise entry.error("invalid name of an instance", hint=_FORMS)
    return name


def _expand(entry: Entry, folder: Path) -> list[str]:
    """Return the files that match a pattern, or a plain name unchanged."""
    pattern = _checked(entry)
    path = os.path.join(folder, pattern)
    if os.path.isdir(path):
        raise entry.error(f"{pattern!r} is a folder", hint=f'write "{pattern.rstrip("/")}/*" for its files')
    if not glob.has_magic(pattern) or os.path.isfile(path):
        return [pattern]
    found = sorted(glob.glob(pattern, root_dir=folder, recursive=True))
    files = [name for name in found if os.path.isfile(os.path.join(folder, name))]
    if not files:
        raise entry.error(f"no file matches {pattern!r}", hint=_hint_for(pattern, found, folder))
    return files


def _hint_for(pattern: str, found: Sequence[str], folder: Path) -> str:
    if found:
        return "it matches folders only: add /* at the end"
    parent = os.path.dirname(pattern)
    if parent and not glob.has_magic(parent) and not os.path.isdir(folder / parent):
        return f"there is no folder {parent!r} in {folder}"
    return f"patterns start from the folder {folder}"


def _split(names: tuple[str, ...], split: Entry) -> Instances:
    n_test, seed = _read_split(split, len(names))
    chosen = set(random.Random(seed).sample(range(len(names)), n_test))
    return Instances(
        tuple(name for i, name in enumerate(names) if i not in chosen),
        tuple(name for i, name in enumerate(names) if i in chosen),
    )


def _read_split(split: Entry, n: int) -> tuple[int, int]:
    fields: Mapping[str, Entry] = {"test": split}
    if isinstance(split.value, dict):
        fields = split.table()
        refuse_unknown(fields, ("test", "seed"), what="key in `split`")
        if "test" not in fields:
            raise split.error("the key `test` is missing", hint="add test = 0.5")
    share = fields["test"]
    hint = "write a share such as 0.5, or a number of test instances such as 20"
    number = share.number("a share or a number of test instances", hint=hint)
    is_share = isinstance(share.value, float)
    n_test = round(number * n) if is_share and 0 < number < 1 else number
    if (is_share and not 0 < number < 1) or not 1 <= n_test < n:
        raise share.error(f"cannot set aside {share.value} of {n} instances for testing", hint=hint)
    return int(n_test), fields["seed"].integer() if "seed" in fields else 0


def _real(name: str, folder: Path, parents: dict[str, str]) -> str:
    """Return the path without links; `parents` keeps those of folders, which most names share."""
    path = os.path.join(folder, name)
    parent, last = os.path.split(path)
    if last in ("", ".", "..") or os.path.islink(path):
        return os.path.realpath(path)
    if parent not in parents:
        parents[parent] = os.path.realpath(parent)
    return os.path.join(parents[parent], last)
