"""Replay: the state of a tuning from its journal, also while another process writes it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from tightrope.cli.runs.folder import RunFolder
from tightrope.cli.terminal.console import Terminal
from tightrope.cli.terminal.words import command, count
from tightrope.compare.progress import Progress, ProgressTracker
from tightrope.drive import Past, recall
from tightrope.errors import UsageError
from tightrope.race.engine import Engine
from tightrope.records import Basis, Decision, Incumbent, Run, Selected, StopReason, Trial
from tightrope.scenario.earlier import find_earlier
from tightrope.scenario.identity import describe, require_same
from tightrope.scenario.scenario import Scenario
from tightrope.scenario.setup import plan_of
from tightrope.store import Entry, History, Holder, JournalReader
from tightrope.store.reader import is_blank

_BASES = {basis.value: basis for basis in Basis}
_MANY = 20_000  # entries take a second or more to replay


@dataclass(frozen=True, slots=True)
class Replayed:
    """A tuning as its journal shows it; `writer` is the process that runs it now, if any."""

    scenario: Scenario
    progress: Progress
    history: History
    runs: Sequence[Run]
    trajectory: tuple[Incumbent, ...]
    numbers: tuple[int, ...]  # numbers of the incumbents in the trajectory
    pending: tuple[Trial, ...]
    began_s: Mapping[int, float]  # when each trial began, in seconds of the tuning
    wall_s: float
    reason: StopReason | None  # why it stopped, or would stop now
    writer: Holder | None


class Replay:
    """Replays a journal, and later the entries that were added since."""

    def __init__(self, folder: RunFolder, terminal: Terminal) -> None:
        self._folder, self._terminal = folder, terminal
        self._scenario = folder.scenario()
        self._past = Past()
        self._n_read = 0
        self._basis: Basis | None = None
        if is_blank(folder.journal):
            hint = command("resume", folder.path)
            raise UsageError(f"nothing has been run yet in {folder.path}", hint=hint)
        earlier = find_earlier((), self._scenario, journal=folder.journal)
        self._engine = Engine(plan_of(self._scenario, folder.settings.seed, earlier=earlier))
        identity = describe(self._scenario, n_earlier=earlier.n_runs)
        with JournalReader(folder.journal) as reader:
            require_same(reader.meta.scenario, identity, path=str(folder.journal))

    def look(self) -> Replayed:
        """Replay the new entries, and return the state."""
        with JournalReader(self._folder.journal) as reader:
            writer = reader.writer  # read first: without a writer, no entry can come after those read next
            n_new = reader.n_entries - self._n_read
            if n_new > _MANY:
                self._terminal.say(
                    f"replaying {count(n_new, 'entry', 'entries')} of the journal", style="dim"
                )
            recall(self._engine, self._noted(islice(reader.entries(), self._n_read, None)), self._past)
        return self._replayed(writer)

    def _noted(self, entries: Iterator[Entry]) -> Iterator[Entry]:
        """Pass new entries on, and note how many there are and how challengers were selected."""
        for entry in entries:
            self._n_read += 1
            if isinstance(entry.what, Decision):
                self._basis = _BASES.get(entry.what.note, self._basis)
            yield entry

    def _replayed(self, writer: Holder | None) -> Replayed:
        past, trajectory = self._past, tuple(self._engine.trajectory)
        tracker = ProgressTracker(self._scenario)
        pending = tuple(past.pending.values())
        tracker.take(past.resumed(trajectory))
        if self._basis is not None:
            tracker.take(Selected((), self._basis))
        ended = RunFolder.open(self._folder.path).settings.ended
        wall_s = past.used_s if ended is None else max(past.used_s, ended.wall_s)
        reason = self._engine.reason_to_stop(wall_s)
        return Replayed(
            self._scenario,
            tracker.progress(),
            History(past.runs),
            past.runs,
            trajectory,
            tuple(tracker.number(incumbent.config) for incumbent in trajectory),
            pending,
            past.began_s,
            wall_s,
            ended.reason if reason is None and ended is not None else reason,
            writer,
        )
