"""Salvage of damaged journals: a new journal from the readable rows."""

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tightrope.errors import JournalError
from tightrope.records import Outcome, Trial
from tightrope.store.entry import Decision, Entry
from tightrope.store.failure import SQLITE_ERRORS
from tightrope.store.journal import Journal
from tightrope.store.lock import holder_of
from tightrope.store.reader import connect, require_file
from tightrope.store.salvage_rows import ReadableRows
from tightrope.store.schema import PAGE_BYTES

_MODE: Final = slice(18, 20)  # bytes of SQLite's header: 1 for a rollback journal, 2 for a write-ahead log


@dataclass(frozen=True, slots=True)
class Salvaged:
    """Number of entries copied, and of those missing before the last readable one.

    `damaged` names the rows that can be read but are not what was written, and what depends on them.
    """

    n_decisions: int
    n_trials: int
    n_outcomes: int
    n_missing: int
    damaged: tuple[str, ...] = ()

    def __str__(self) -> str:
        saved = f"trials saved: {self.n_trials}, outcomes: {self.n_outcomes}, decisions: {self.n_decisions}"
        return f"{saved}; entries lost: at least {self.n_missing}"


@dataclass(frozen=True, slots=True)
class Fallback:
    """What a journal is of, in case its own description is damaged."""

    scenario: str = ""
    seed: int = 0


_UNKNOWN: Final = Fallback()


def salvage(path: str | Path, into: str | Path, *, fallback: Fallback = _UNKNOWN) -> Salvaged:
    """Copy the readable entries of a damaged journal into a new one; the damaged file is not changed.

    Parameters
    ----------
    path : str or Path
        The damaged journal. A log (`-wal`) next to it is read as well.
    into : str or Path
        A file that does not exist.
    fallback : Fallback
        Scenario and seed of the new journal, should those of the damaged one be unreadable.

    Returns
    -------
    Salvaged
        Number of entries saved and lost.
    """
    path, into = Path(path), Path(into)
    require_file(path)
    holder = holder_of(path)
    if holder is not None and holder.is_here and holder.is_alive:
        hint = "wait for that process or stop it"
        raise JournalError(f"it is being written by {holder}", path=str(path), hint=hint)
    if into.exists():
        raise JournalError("the file exists already", path=str(into), hint="choose another")
    with tempfile.TemporaryDirectory(prefix="salvage-") as folder:
        readable = _read_copy(path, Path(folder))
    kept = dict(_consistent(readable.entries))
    if not kept:
        raise JournalError("nothing could be saved", path=str(path), hint="look for a copy of the file")
    lost = sorted(readable.entries.keys() - kept.keys())
    useless = [f"entry {step}: it belongs to a lost trial" for step in lost]
    scenario = fallback.scenario if readable.scenario is None else readable.scenario
    seed = fallback.seed if readable.seed is None else readable.seed
    with Journal.create(into, scenario=scenario, seed=seed, notes=readable.notes) as journal:
        journal.extend(kept.values())
    kinds = [type(entry.what) for entry in kept.values()]
    return Salvaged(
        kinds.count(Decision),
        kinds.count(Trial),
        kinds.count(Outcome),
        n_missing=max(kept) - len(kept),
        damaged=(*readable.damaged, *useless),
    )


def _read_copy(path: Path, folder: Path) -> ReadableRows:
    """Read a copy of the file unchanged and, if that yields nothing, one with its first page replaced."""
    readable = ReadableRows()
    for replace_page in (False, True):
        copy = folder / f"copy-{replace_page}"
        _copy(path, copy)
        if replace_page:
            _replace_first_page(copy, folder / "fresh")
        try:
            with closing(connect(copy, "mode=rw")) as connection:
                n_bytes = sum(file.stat().st_size for file in folder.glob(f"{copy.name}*"))
                readable = ReadableRows.read(connection, n_bytes=n_bytes)
        except SQLITE_ERRORS:
            continue
        if readable.entries:
            break
    return readable


def _copy(path: Path, copy: Path) -> None:
    for suffix in ("", "-wal", "-journal"):
        source = path.with_name(path.name + suffix)
        if source.exists():
            shutil.copyfile(source, copy.with_name(copy.name + suffix))


def _replace_first_page(path: Path, fresh: Path) -> None:
    """Overwrite the first page of a file with that of an empty journal.

    The first page says where the tables begin. All journals are created by the same statements, so their
    first pages differ only in the mode and the file's size, which SQLite then takes from the file itself.
    """
    Journal.create(fresh, disk="network").close()
    page = bytearray(fresh.read_bytes()[:PAGE_BYTES])
    if path.with_name(path.name + "-wal").exists():
        page[_MODE] = b"\x02\x02"
    # SQLite trusts the number of pages in the header only if these two counters are equal.
    page[24:28], page[92:96] = b"\x00\x00\x00\x02", b"\x00\x00\x00\x01"
    with path.open("r+b") as file:
        file.write(page)


def _consistent(entries: Mapping[int, Entry]) -> Iterator[tuple[int, Entry]]:
    """Leave out outcomes whose trial is missing, and entries that damage has duplicated."""
    started: set[int] = set()
    finished: set[int] = set()
    decided: set[int] = set()
    for step in sorted(entries):
        what = entries[step].what
        if isinstance(what, Trial):
            fits, number, known = what.id not in started, what.id, started
        elif isinstance(what, Outcome):
            fits = what.trial_id in started and what.trial_id not in finished
            number, known = what.trial_id, finished
        else:
            fits, number, known = what.number not in decided, what.number, decided
        if fits:
            known.add(number)
            yield step, entries[step]
