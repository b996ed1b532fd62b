"""Running an engine from a journal's past to a reason to stop: shared by tune, minimize and validate."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from math import inf
from pathlib import Path

from tightrope.drive import Engine, Past, Watch, drive, ignore, recall
from tightrope.errors import JournalError, TargetError
from tightrope.records import INTERRUPTED, Incumbent, Resumed, StopReason
from tightrope.run import Executor
from tightrope.scenario.identity import require_same
from tightrope.store import History, Journal
from tightrope.store.reader import is_blank


def replay(
    engine: Engine, journal: Journal | None, *, trajectory: Sequence[Incumbent], watch: Watch | None
) -> Past:
    """Feed the journal to a fresh engine, whose incumbents are `trajectory`, and report what it held."""
    past = Past() if journal is None else recall(engine, journal.entries())
    if watch is not None and (past.runs or past.pending):
        pending = tuple(past.pending.values())
        watch(Resumed(tuple(past.runs), tuple(trajectory), pending, past.used_s))
    return past


def conduct(
    engine: Engine,
    open_executor: Callable[[], Executor],
    past: Past,
    journal: Journal | None,
    *,
    wall_s: float = inf,
    watch: Watch | None = None,
) -> StopReason:
    """Run trials until the engine stops or the user interrupts; runs are appended to the past.

    An interrupt before any run has ended is raised. A `TargetError` carries the runs so far as its history.
    """
    with open_executor() as executor:
        try:
            return drive(engine, executor, past, wall_s=wall_s, journal=journal, watch=watch or ignore)
        except KeyboardInterrupt:
            if not past.runs:
                raise
            return INTERRUPTED
        except TargetError as error:
            error.history = History(past.runs)
            raise


def open_journal(
    stack: ExitStack, path: str | Path | None, identity: str, *, seed: int = 0, check_seed: bool = True
) -> Journal | None:
    """Start a journal, or reopen one of the same settings; the stack closes it."""
    if path is None:
        return None
    path = Path(path)
    if is_blank(path):
        return stack.enter_context(Journal.create(path, scenario=identity, seed=seed))
    journal = stack.enter_context(Journal.open(path))
    meta = journal.meta
    require_same(meta.scenario, identity, path=str(path))
    if check_seed and meta.seed != seed:
        hint = f"pass seed={meta.seed} to resume, or name another file"
        raise JournalError(f"this journal has the seed {meta.seed}, not {seed}", path=str(path), hint=hint)
    return journal
