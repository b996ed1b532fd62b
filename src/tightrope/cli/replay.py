"""Replayed: what a run folder's journal tells, without a word from whoever writes it."""

from dataclasses import dataclass

from tightrope.cli.folder import RunFolder
from tightrope.drive import recall
from tightrope.errors import JournalError, UsageError
from tightrope.planning import plan_of
from tightrope.race.engine import Engine
from tightrope.records import Basis, Incumbent, Resumed, Selected, Trial
from tightrope.scenario.identity import describe, require_same
from tightrope.scenario.scenario import Scenario
from tightrope.standing import Observer, Standing
from tightrope.store import Decision, Entry, History, Holder, JournalReader
from tightrope.store.reader import is_blank


@dataclass(frozen=True, slots=True)
class Replayed:
    """A tuning as its journal tells it; `writer` is who goes on with it just now, if anybody does."""

    scenario: Scenario
    standing: Standing
    history: History
    trajectory: tuple[Incumbent, ...]
    numbers: tuple[int, ...]  # of the incumbents in the trajectory
    pending: tuple[Trial, ...]
    wall_s: float
    reason: str | None  # why it would stop, if it would
    writer: Holder | None


def replay(folder: RunFolder) -> Replayed:
    """Read a folder's journal and go through it; it takes a second or so for some ten thousand runs."""
    scenario = folder.scenario()
    if is_blank(folder.journal):
        raise UsageError(f"nothing has been run yet in {folder.path}", hint=f"tightrope resume {folder.path}")
    with JournalReader(folder.journal) as reader:
        require_same(reader.meta.scenario, describe(scenario), path=str(folder.journal))
        writer, entries = reader.writer, list(reader.entries())
    engine = Engine(plan_of(scenario, folder.settings.seed))
    try:
        past = recall(engine, entries)
    except KeyError as error:
        raise JournalError(str(error.args[0]), path=str(folder.journal), hint="check the folder") from error
    observer = Observer(scenario)
    pending, trajectory = tuple(past.pending.values()), tuple(engine.trajectory)
    observer.take(Resumed(tuple(past.runs), trajectory, pending, past.used_s))
    for basis in _bases(entries)[-1:]:
        observer.take(Selected((), basis))
    ended = folder.settings.ended
    wall_s = past.used_s if ended is None else max(past.used_s, ended.wall_s)
    reason = engine.reason_to_stop(wall_s)
    return Replayed(
        scenario,
        observer.standing(),
        History(past.runs),
        trajectory,
        tuple(observer.number(incumbent.config) for incumbent in trajectory),
        pending,
        wall_s,
        ended.reason if reason is None and ended is not None else reason,
        writer,
    )


def _bases(entries: list[Entry]) -> list[Basis]:
    known = {basis.value: basis for basis in Basis}
    notes = [entry.what.note for entry in entries if isinstance(entry.what, Decision)]
    return [known[note] for note in notes if note in known]
