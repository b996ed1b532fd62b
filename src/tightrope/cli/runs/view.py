"""What `status` and `best` print of a tuning at rest, kept in its run folder.

To find it out, the journal has to be replayed, which takes seconds for 20,000 runs and minutes for a million.
So it is written down when a tuning ends, and otherwise when a verb has replayed a journal that no process
writes. It is used as long as journal, settings and scenario are the same files, and may be deleted.
"""

import json
import os
import shlex
from contextlib import suppress
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, Self
from zlib import crc32

from tightrope.cli.files import write_private_file
from tightrope.cli.runs.folder import SETTINGS, VIEW, RunFolder
from tightrope.cli.terminal.console import Terminal
from tightrope.cli.terminal.output import write_result
from tightrope.store.lock import holder_of

_FOLDER: Final = "@TIGHTROPE-FOLDER@"  # stands for the folder, which may be called by several paths
TOKEN: Final = Path(_FOLDER)
LABEL_WIDTH: Final = 12  # of the lines of `status`


@dataclass(frozen=True, slots=True)
class View:
    """The lines and the JSON of `status`, and the config of `best` in all formats that can express it.

    `best` has the keys said (the line on stderr), cwd, data (its JSON) and texts (by format).
    """

    status: list[str]
    data: dict[str, Any]
    best: dict[str, Any]

    def placed(self, folder: Path) -> Self:
        """Return the view with the folder's path: plain in the first line, quoted in commands."""
        plain = str(folder)
        quoted = shlex.quote(f"./{plain}" if plain.startswith("-") else plain)
        first, *lines = self.status
        return type(self)(
            [first.replace(_FOLDER, plain), *(line.replace(_FOLDER, quoted) for line in lines)],
            self.data | {"folder": plain, "next": self.data["next"].replace(_FOLDER, quoted)},
            self.best,
        )


def show_status(view: View, terminal: Terminal) -> None:
    """Print the lines of `status`, or its JSON."""
    *lines, next_line = view.status
    for line in lines:
        terminal.result(terminal.folded(line, indent=LABEL_WIDTH))
    terminal.result(next_line)
    terminal.data(view.data)


def show_best(view: View, form: str, terminal: Terminal) -> None:
    """Print the best config on stdout, and its cost on stderr."""
    best = view.best
    terminal.say(best["said"], style="dim")
    if terminal.is_json:
        terminal.data(best["data"])
        return
    if form == "cli" and best["cwd"] not in (None, str(Path.cwd())):
        terminal.say(f"run it in {best['cwd']}", style="dim")
    write_result(best["texts"][form])


def known_view(folder: RunFolder) -> View | None:
    """Return what was kept of a run folder, if it is still true."""
    try:
        kept = json.loads((folder.path / VIEW).read_bytes())
        view, key = kept["view"], kept["key"]
        if kept["sum"] != _sum(view) or key != key_of(folder):
            return None
        return View(**view).placed(folder.path)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def keep_view(folder: RunFolder, view: View, key: dict[str, Any] | None) -> None:
    """Keep what was found out since the key was taken; a folder that cannot be written is left as it is."""
    if key is None or key != key_of(folder):
        return
    written = asdict(view)
    with suppress(OSError):
        text = json.dumps({"key": key, "sum": _sum(written), "view": written})
        write_private_file(folder.path / VIEW, text + "\n")


def key_of(folder: RunFolder) -> dict[str, Any] | None:
    """Return what a view depends on; None while the journal is being written."""
    journal = folder.journal
    holder = holder_of(journal)
    if holder is not None and holder.is_alive:
        return None
    files = (folder.path / SETTINGS, folder.path / folder.settings.scenario)
    return {
        "journal": [_state(journal.with_name(journal.name + suffix)) for suffix in ("", "-wal", "-journal")],
        "files": [crc32(file.read_bytes()) for file in files],
        "version": version("tightrope"),
    }


def _state(file: Path) -> list[int]:
    """Return size and time of a file; a missing one is like an empty one."""
    try:
        found = os.stat(file)
    except FileNotFoundError:
        return []
    return [found.st_size, found.st_mtime_ns] if found.st_size else []


def _sum(view: dict[str, Any]) -> int:
    return crc32(json.dumps(view, sort_keys=True).encode())
