"""Rescue of a damaged journal: a sound one takes its place, and the damaged files are kept beside it."""

import os
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from tightrope.errors import JournalError
from tightrope.store.lock import lock_path
from tightrope.store.reader import JournalReader, require_file
from tightrope.store.salvaged import Fallback, Salvaged, salvage

_LOGS = ("-wal", "-journal")
_NOTHING = Fallback()


@dataclass(frozen=True, slots=True)
class Rescued:
    """What was saved, where the damaged file is now, and what was wrong with it."""

    salvaged: Salvaged
    aside: Path
    problem: str


def rescue(path: str | Path, *, fallback: Fallback = _NOTHING) -> Rescued | None:
    """Put a sound journal with all sound rows in the place of a damaged one; return None if it is sound.

    The damaged file stays, as `<name>.damaged`. A journal that is being written is left alone.

    Parameters
    ----------
    path : str or Path
        The journal.
    fallback : Fallback
        Scenario and seed of the new journal, should those of the damaged one be unreadable.

    Examples
    --------
    >>> import tempfile
    >>> from tightrope.store import Journal
    >>> folder = tempfile.TemporaryDirectory()
    >>> Journal.create(folder.name + "/run.journal").close()
    >>> print(rescue(folder.name + "/run.journal"))
    None
    >>> folder.cleanup()
    """
    path = Path(path)
    sound = path.with_name(path.name + ".rescued")
    if not path.exists() and sound.exists():  # a rescue was killed between its last two steps
        os.replace(sound, path)
    require_file(path)
    problem = problem_of(path)
    if problem is None:
        return None
    sound.unlink(missing_ok=True)
    salvaged = salvage(path, sound, fallback=fallback)
    lock_path(sound).unlink(missing_ok=True)
    return Rescued(salvaged, _put_in_place(sound, path), problem)


def problem_of(path: Path) -> str | None:
    """Return what is wrong with a journal; None if it is sound."""
    try:
        with JournalReader(path) as reader:
            reader.check()
    except JournalError as error:
        return error.problem
    return None


def _put_in_place(sound: Path, path: Path) -> Path:
    """Move the damaged files aside, logs included, before the sound one gets their name."""
    names = (path.with_name(f"{path.name}.damaged{n or ''}") for n in count())
    aside = next(name for name in names if not name.exists())
    path.rename(aside)
    for suffix in _LOGS:
        log = path.with_name(path.name + suffix)
        if log.exists():
            log.rename(aside.with_name(aside.name + suffix))
    path.with_name(path.name + "-shm").unlink(missing_ok=True)
    os.replace(sound, path)
    return aside
