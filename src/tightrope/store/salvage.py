"""What can be saved from a damaged journal."""

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
from tightrope.store.rescue import Rescue
from tightrope.store.schema import PAGE_BYTES

_MODE: Final = slice(18, 20)  # bytes of SQLite's header: 1 for a rollback journal, 2 for a write-ahead log


@dataclass(frozen=True, slots=True)
class Salvaged:
    """How many entries were copied, and how many of those before the last readable one were not."""

    n_decisions: int
    n_trials: int
    n_outcomes: int
    n_missing: int

    def __str__(self) -> str:
        saved = f"trials saved: {self.n_trials}, outcomes: {self.n_outcomes}, decisions: {self.n_decisions}"
        return f"{saved}; entries lost: at least {self.n_missing}"


def salvage(path: str | Path, into: str | Path) -> Salvaged:
    """Copy what is readable in a damaged journal into a new one; the damaged file is not touched.

    Parameters
    ----------
    path : str or Path
        The damaged journal. A log (`-wal`) beside it is read, too.
    into : str or Path
        A file that does not exist.

    Returns
    -------
    Salvaged
        What was saved.
    """
    path, into = Path(path), Path(into)
    require_file(path)
    holder = holder_of(path)
    if holder is not None and holder.is_here and holder.is_alive:
        raise JournalError(f"it is being written by {holder}", path=str(path), hint="wait for it or stop it")
    if into.exists():
        raise JournalError("the file exists already", path=str(into), hint="choose another")
    with tempfile.TemporaryDirectory(prefix="salvage-") as folder:
        rescue = _rescued(path, Path(folder))
    kept = dict(_consistent(rescue.entries))
    if not kept:
        raise JournalError("nothing could be saved", path=str(path), hint="look for a copy of the file")
    with Journal.create(into, scenario=rescue.scenario, seed=rescue.seed) as journal:
        journal.extend(kept.values())
    kinds = [type(entry.what) for entry in kept.values()]
    return Salvaged(
        kinds.count(Decision), kinds.count(Trial), kinds.count(Outcome), n_missing=max(kept) - len(kept)
    )


def _rescued(path: Path, folder: Path) -> Rescue:
    """Read a copy of the file as it is and, if that yields nothing, with its first page replaced."""
    rescue = Rescue()
    for mend in (False, True):
        copy = folder / f"copy-{mend}"
        _copy(path, copy)
        if mend:
            _mend_first_page(copy, folder / "fresh")
        try:
            with closing(connect(copy, "mode=rw")) as connection:
                n_bytes = sum(file.stat().st_size for file in folder.glob(f"{copy.name}*"))
                rescue = Rescue.of(connection, n_bytes=n_bytes)
        except SQLITE_ERRORS:
            continue
        if rescue.entries:
            break
    return rescue


def _copy(path: Path, copy: Path) -> None:
    for suffix in ("", "-wal", "-journal"):
        source = path.with_name(path.name + suffix)
        if source.exists():
            shutil.copyfile(source, copy.with_name(copy.name + suffix))


def _mend_first_page(path: Path, fresh: Path) -> None:
    """Give a file the first page of an empty journal.

    All journals are created by the same statements, so their first pages, which say where the tables begin,
    are alike but for the mode and the size of the file, which SQLite then takes from the file itself.
    """
    Journal.create(fresh, disk="network").close()
    page = bytearray(fresh.read_bytes()[:PAGE_BYTES])
    if path.with_name(path.name + "-wal").exists():
        page[_MODE] = b"\x02\x02"
    # SQLite believes the number of pages in the header only if these two counters agree.
    page[24:28], page[92:96] = b"\x00\x00\x00\x02", b"\x00\x00\x00\x01"
    with path.open("r+b") as file:
        file.write(page)


def _consistent(entries: Mapping[int, Entry]) -> Iterator[tuple[int, Entry]]:
    """Leave out outcomes whose trial is missing, and what damage made appear twice."""
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
