"""Running an engine from a journal's past to a reason to stop: shared by tune, minimize and validate."""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from math import inf
from pathlib import Path

from tightrope.drive import Engine, Past, Watch, drive, ignore, recall
from tightrope.errors import JournalError, TargetError
from tightrope.records import INTERRUPTED, Status, StopReason
from tightrope.run import Executor
from tightrope.scenario.identity import require_same
from tightrope.store import History, Journal
from tightrope.store.reader import is_blank


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

    An interrupt before any run is done is raised. A `TargetError` carries the runs so far as its history.
    """
    with open_executor() as executor:
        try:
            return drive(engine, executor, past, wall_s=wall_s, journal=journal, watch=watch or ignore)
        except KeyboardInterrupt:
            if not any(run.outcome.status is Status.DONE for run in past.runs):
                raise
            return INTERRUPTED
        except TargetError as error:
            error.history = History(past.runs)
            raise


def open_journal(
    stack: ExitStack,
    path: str | Path | None,
    engine: Engine,
    *,
    identity: str,
    seed: int = 0,
    notes: Mapping[str, str] | None = None,
    check_seed: bool = True,
) -> tuple[Journal | None, Past]:
    """Start a journal, or reopen one of the same settings and replay it to a fresh engine.

    The stack closes the journal.
    """
    if path is None:
        return None, Past()
    path = Path(path)
    if is_blank(path):
        fresh = Journal.create(path, scenario=identity, seed=seed, notes=notes)
        return stack.enter_context(fresh), Past()
    journal = stack.enter_context(Journal.open(path))
    meta = journal.meta
    require_same(meta.scenario, identity, path=str(path))
    if check_seed and meta.seed != seed:
        hint = f"pass seed={meta.seed} to resume, or name another file"
        raise JournalError(f"this journal has the seed {meta.seed}, not {seed}", path=str(path), hint=hint)
    return journal, recall(engine, journal.entries())
