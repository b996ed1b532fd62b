"""A tuning of real processes is killed, interrupted, or finds the disk full, and goes on afterwards."""

import random
import secrets
import sys
import time
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from drivers import Drivers
from tightrope.records import Outcome, Status, Trial
from tightrope.store import Entry, JournalReader
from tightrope.store.reader import is_blank
from tunings import Kind, log_of, replayed, scenario_of

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the supervisor is for Linux"),
]

AMPLE = 100_000  # more runs than any test waits for
MOST_RUNS = 4  # that are awaited before a kill
MOST_DELAY_S = 0.15  # in which two or three runs end, and others begin
LAST_RUNS = 15
FILE_BYTES = 100_000


@pytest.fixture(scope="module")
def drivers() -> Iterator[Drivers]:
    with Drivers() as drivers:
        yield drivers


@pytest.fixture
def rng() -> random.Random:
    seed = secrets.randbits(32)
    print(f"seed {seed}")  # noqa: T201 - shown if the test fails
    return random.Random(seed)


def entries_in(journal: Path) -> list[Entry]:
    """Read the committed rows; empty if the journal does not exist yet."""
    if is_blank(journal):
        return []
    with JournalReader(journal) as reader:
        return list(reader.entries())


def ended_in(entries: list[Entry]) -> list[int]:
    return [entry.what.trial_id for entry in entries if isinstance(entry.what, Outcome)]


def cut_off_in(entries: list[Entry]) -> dict[int, Trial]:
    """Return the trials without an outcome."""
    ended = set(ended_in(entries))
    trials = [entry.what for entry in entries if isinstance(entry.what, Trial)]
    return {trial.id: trial for trial in trials if trial.id not in ended}


def begun_in(journal: Path) -> list[str]:
    """Return what runs have written into the log when they began."""
    log = log_of(journal)
    return log.read_text().splitlines() if log.exists() else []


def redone_in(entries: list[Entry], cut_off: dict[int, Trial]) -> list[str]:
    """Return what those of the trials wrote into the log that have an outcome now.

    One whose challenger had been dropped is cancelled at once, maybe before it could write anything.
    """
    outcomes = [entry.what for entry in entries if isinstance(entry.what, Outcome)]
    redone = [
        cut_off[outcome.trial_id]
        for outcome in outcomes
        if outcome.trial_id in cut_off
        and not (outcome.status is Status.CAPPED and outcome.cost < cut_off[outcome.trial_id].cap)
    ]
    return [f"{trial.config['x']!r} {trial.task.instance}" for trial in redone]


def kill_at_random(
    drivers: Drivers, journal: Path, rng: random.Random, *, awaited: int
) -> tuple[list[int], list[Entry]]:
    """Kill the driver some time after `awaited` runs; return its reports and what a reader saw."""
    told = [drivers.told() for _ in range(awaited)]
    seen = entries_in(journal)
    time.sleep(rng.random() * MOST_DELAY_S)  # an instant between two entries, or within one
    told += drivers.kill()
    return [each["finished"] for each in told], seen


def torment(
    drivers: Drivers, journal: Path, rng: random.Random, *, kind: Kind, kills: Iterable[tuple[int, int]]
) -> int:
    """Kill one driver after the other, each with its own slots and number of runs; count repeated trials.

    Nothing that was ever seen or told is lost, and nothing is left running.
    """
    before: list[Entry] = []
    n_redone = 0
    for slots, awaited in kills:
        n_begun = len(begun_in(journal))
        drivers.start(journal, kind=kind, slots=slots, runs=AMPLE)
        told, seen = kill_at_random(drivers, journal, rng, awaited=awaited)
        drivers.await_others()
        entries = entries_in(journal)
        assert seen == entries[: len(seen)]
        assert before == entries[: len(before)]
        assert told == ended_in(entries[len(before) :])[: len(told)]
        redone = redone_in(entries, cut_off_in(before))
        assert set(redone) <= set(begun_in(journal)[n_begun:])
        n_redone += len(redone)
        before = entries
    return n_redone


def test_a_driver_killed_thirty_times_loses_nothing_and_leaves_nothing(
    tmp_path: Path, drivers: Drivers, rng: random.Random
) -> None:
    journal = tmp_path / "run.journal"
    kills = [(rng.randint(1, 3), rng.randrange(MOST_RUNS)) for _ in range(30)]
    assert torment(drivers, journal, rng, kind="command", kills=kills) > 0
    finish(drivers, journal, kind="command")


def test_a_driver_of_a_function_that_is_killed_loses_nothing_and_leaves_nothing(
    tmp_path: Path, drivers: Drivers, rng: random.Random
) -> None:
    journal = tmp_path / "run.journal"
    torment(drivers, journal, rng, kind="function", kills=[(1, 3)])
    finish(drivers, journal, kind="function")


def test_a_driver_killed_before_its_function_is_loaded_leaves_nothing_that_loads_for_ever(
    tmp_path: Path, drivers: Drivers
) -> None:
    drivers.start(tmp_path / "run.journal", kind="hanging", slots=1, runs=AMPLE)
    while not any(b"forkserver" in command_of(pid) for pid in drivers.left_running()):
        pass
    drivers.kill()
    assert drivers.left_running()  # importing the function is slow
    drivers.await_others()


def command_of(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:  # it has ended
        return b""


def finish(drivers: Drivers, journal: Path, *, kind: Kind) -> None:
    """Continue for some more runs: the journal holds the incumbent that the driver reported."""
    cut_off = cut_off_in(entries_in(journal))
    runs = len(ended_in(entries_in(journal))) + LAST_RUNS
    drivers.start(journal, kind=kind, slots=1, runs=runs)
    last = drivers.last_word()
    assert last["reason"] == f"{runs} runs are done"
    assert drivers.left_running() == []
    require_replayed(last, entries_in(journal), journal)
    require_sound(journal, cut_off)


def require_sound(journal: Path, cut_off: Collection[int]) -> None:
    """Every trial is there once, and those that were cut off have been run."""
    with JournalReader(journal) as reader:
        reader.check()
        assert reader.writer is None
    entries = entries_in(journal)
    started = [entry.what.id for entry in entries if isinstance(entry.what, Trial)]
    assert started == list(range(len(started)))
    ended = ended_in(entries)
    assert len(set(ended)) == len(ended)
    assert set(cut_off) <= set(ended)


def require_replayed(told: dict[str, Any], entries: list[Entry], journal: Path) -> None:
    """Compare a driver's result with a fresh engine that replays its journal."""
    engine, past = replayed(scenario_of("command", journal, runs=AMPLE), entries)
    incumbent = engine.incumbent
    found = (dict(incumbent.config), incumbent.cost, incumbent.n_tasks)
    assert (told["best"], told["cost"], told["n_tasks"]) == found
    assert told["ended"] == [run.trial.id for run in past.runs]
    trajectory = [(dict(each.config), each.cost, each.wall_s) for each in engine.trajectory]
    assert [(each["config"], each["cost"], each["wall_s"]) for each in told["incumbents"]] == trajectory


def until_outcome(entries: list[Entry], number: int) -> list[Entry]:
    """Leave out what follows the outcome of that number."""
    places = [place for place, entry in enumerate(entries) if isinstance(entry.what, Outcome)]
    return entries[: places[number - 1] + 1]


def test_an_interrupt_returns_the_incumbent_and_leaves_nothing(
    tmp_path: Path, drivers: Drivers, rng: random.Random
) -> None:
    journal = tmp_path / "run.journal"
    for _ in range(5):
        drivers.start(journal, kind="command", slots=2, runs=AMPLE)
        for _ in range(rng.randint(1, MOST_RUNS)):
            assert "finished" in drivers.told()
        time.sleep(rng.random() * MOST_DELAY_S)
        drivers.interrupt()
        told = drivers.last_word()
        drivers.await_others()
        assert told["reason"] == "it was interrupted"
        assert "Stopped because it was interrupted." in told["text"]
        entries = entries_in(journal)
        assert (
            len(ended_in(entries)) - len(told["ended"]) <= 1
        )  # committed, and interrupted before it was learnt
        require_replayed(told, until_outcome(entries, len(told["ended"])), journal)
    finish(drivers, journal, kind="command")


def test_a_full_disk_stops_a_tuning_which_goes_on_once_there_is_room(
    tmp_path: Path, drivers: Drivers
) -> None:
    journal = tmp_path / "run.journal"
    drivers.start(journal, kind="command", slots=2, runs=AMPLE, file_bytes=FILE_BYTES)
    told = []
    while "finished" in (word := drivers.told()):
        told.append(word["finished"])
    assert drivers.left_running() == []
    assert "it may be full" in word["error"]
    assert "nothing committed is lost" in word["error"]
    assert "make room" in word["hint"]
    entries = entries_in(journal)
    assert told == ended_in(entries)
    finish(drivers, journal, kind="command")
    assert entries_in(journal)[: len(entries)] == entries
