"""Look at a tuning: replay its journal, and keep what `status` and `best` print of it."""

from contextlib import suppress
from typing import Any, Final

from tightrope.api.result import TuneResult
from tightrope.cli.runs.best import FORMATS, as_cli
from tightrope.cli.runs.folder import RunFolder, Settings
from tightrope.cli.runs.replay import Replay, Replayed
from tightrope.cli.runs.view import TOKEN, View, keep_view, key_of
from tightrope.cli.terminal import phrases
from tightrope.cli.terminal.console import Terminal, plain
from tightrope.cli.terminal.phrases import Kind
from tightrope.cli.terminal.status_screen import status_as_json, status_lines
from tightrope.compare.progress import ProgressTracker
from tightrope.errors import TightropeError
from tightrope.records import StopKind
from tightrope.run import CommandTarget
from tightrope.scenario.scenario import Scenario
from tightrope.store import JournalReader

_BY_BUDGET: Final = (StopKind.RUNS, StopKind.COST, StopKind.TIME)  # reasons that a replay finds as well


def look(folder: RunFolder, terminal: Terminal) -> tuple[View, Replayed]:
    """Replay the journal of a run folder, and keep the view unless a process writes it."""
    key = key_of(folder)
    seen = Replay(folder, terminal).look()
    view = view_of(seen, folder.settings)
    if seen.writer is None:
        keep_view(folder, view, key)
    return view.placed(folder.path), seen


def keep_result(folder: RunFolder, scenario: Scenario, result: TuneResult, tracker: ProgressTracker) -> None:
    """Keep the view of a tuning that has just ended, so that it need not be replayed."""
    key, ended, progress = key_of(folder), folder.settings.ended, tracker.progress()
    is_known = (
        progress.basis is not None or progress.n_configs <= 1
    )  # else it was selected in earlier sessions
    if ended is None or result.reason.kind not in _BY_BUDGET or not is_known:
        return
    with JournalReader(folder.journal) as reader:
        pending = tuple(reader.pending())
    seen = Replayed(
        scenario=scenario,
        progress=progress,
        history=result.history,
        runs=(),
        trajectory=tuple(result.trajectory),
        numbers=tuple(tracker.number(incumbent.config) for incumbent in result.trajectory),
        pending=pending,
        began_s={},
        wall_s=max(result.wall_s, ended.wall_s),
        reason=result.reason,
        writer=None,
    )
    keep_view(folder, view_of(seen, folder.settings), key)


def view_of(seen: Replayed, settings: Settings) -> View:
    """Return what is printed of a tuning, with a token in the place of its folder."""
    folder = RunFolder(TOKEN, settings)
    return View(status_lines(folder, seen), plain(status_as_json(folder, seen)), _best_of(seen))


def _best_of(seen: Replayed) -> dict[str, Any]:
    progress, scenario, target = seen.progress, seen.scenario, seen.scenario.target
    kind, config = Kind.of(seen.scenario), seen.progress.config
    against = phrases.compared(progress.against_default, kind)
    texts: dict[str, str] = {}
    for form, write in FORMATS.items():
        with suppress(TightropeError):  # raised again if this format is asked for
            texts[form] = write(config, scenario)
    is_command = isinstance(target, CommandTarget)
    command = as_cli(config, scenario).rstrip("\n") if is_command else None
    return {
        "said": f"#{progress.number}: {phrases.estimated(progress.cost, kind)}; {against}",
        "cwd": target.cwd if isinstance(target, CommandTarget) else None,
        "data": plain({"number": progress.number, "config": dict(config), "command": command}),
        "texts": texts,
    }
