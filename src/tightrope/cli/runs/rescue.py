"""Rescue the journals of a run folder, or a single journal."""

from collections.abc import Iterator
from pathlib import Path

from tightrope.cli.main import Exit
from tightrope.cli.runs.folder import RunFolder
from tightrope.cli.terminal import words
from tightrope.cli.terminal.console import Terminal
from tightrope.errors import UsageError
from tightrope.records.files import TUNING_JOURNAL
from tightrope.scenario.identity import describe
from tightrope.store import Fallback, Rescued, rescue

_MOST_NAMED = 10  # rows that are listed without -v


def rescue_all(path: Path, terminal: Terminal) -> Exit:
    """Check each journal, repair the damaged ones, and report what was set aside."""
    for journal, fallback in _journals(path):
        rescued = rescue(journal, fallback=fallback)
        if rescued is None:
            terminal.result(f"{journal}: every row is sound, so nothing was changed")
            terminal.data({"journal": str(journal), "sound": True})
        else:
            _report(journal, rescued, terminal)
    if path.is_dir():
        terminal.say(f"next:  {words.command('resume', path)}")
    return Exit.DONE


def _journals(path: Path) -> Iterator[tuple[Path, Fallback]]:
    """Yield the journals, and what to write into the description of each if it is lost."""
    if path.is_file():
        yield path, Fallback()
        return
    folder = RunFolder.settled(path)
    if not folder.journal.exists() and not folder.journal.with_name(f"{TUNING_JOURNAL}.rescued").exists():
        raise UsageError(f"there is no journal in {path}", hint=f"start over:  tightrope tune --out {path}")
    yield folder.journal, Fallback(describe(folder.scenario()), folder.settings.seed)
    if folder.validation.exists():
        yield folder.validation, Fallback()


def _report(journal: Path, rescued: Rescued, terminal: Terminal) -> None:
    saved, n = rescued.salvaged, len(rescued.salvaged.damaged)
    terminal.result(f"{journal}: {rescued.problem}")
    most = n if terminal.verbose else _MOST_NAMED
    for row in saved.damaged[:most]:
        terminal.result(f"  set aside: {row}")
    if n > most:
        terminal.result(f"  and {words.count(n - most, 'more row')} (all of them: -v)")
    terminal.result(terminal.folded(f"  {saved}"))
    terminal.say(f"  the damaged file is {rescued.aside}")
    terminal.data(
        {
            "journal": str(journal),
            "sound": False,
            "problem": rescued.problem,
            "set_aside": list(saved.damaged),
            "trials": saved.n_trials,
            "outcomes": saved.n_outcomes,
            "decisions": saved.n_decisions,
            "lost_at_least": saved.n_missing,
            "damaged_file": str(rescued.aside),
        }
    )
