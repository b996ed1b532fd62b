"""Flipped bits and swapped pages anywhere in a journal: the same data or an error, never other data."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from journals import outcome, trial
from tightrope.errors import JournalError
from tightrope.store import Entry, Journal, JournalReader, Meta, salvage

N_RUNS = 60
N_FLIPS = 400
PAGE = 4096


@dataclass(frozen=True)
class Content:
    """All that can be read from a journal."""

    meta: Meta
    entries: list[Entry]
    runs: list[object]
    ended_s: list[float]
    pending: list[object]

    @classmethod
    def of(cls, path: Path) -> "Content":
        with JournalReader(path) as reader:
            history = reader.history()
            return cls(
                reader.meta,
                list(reader.entries()),
                list(history),
                history.columns.ended_s.tolist(),
                list(reader.pending()),
            )


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a closed journal with rows of every kind, notes and a pending trial."""
    path = tmp_path_factory.mktemp("sound") / "run.journal"
    with Journal.create(path, scenario="x" * 300, seed=3, notes={"features": "[1.5]"}) as journal:
        for i in range(N_RUNS):
            journal.decide(i, overhead_s=0.1 + i, now_s=2.5 * i, challengers=[trial(i).config], note="model")
            journal.start(trial(i))
            if i > 0:
                journal.finish(outcome(i - 1))
    return path


def flips(whole: bytes) -> Iterator[bytes]:
    rng = random.Random(21)
    for _ in range(N_FLIPS):
        place, bit = rng.randrange(len(whole)), rng.randrange(8)
        yield whole[:place] + bytes([whole[place] ^ (1 << bit)]) + whole[place + 1 :]


def swaps(whole: bytes) -> Iterator[bytes]:
    pages = [whole[i : i + PAGE] for i in range(0, len(whole), PAGE)]
    for one in range(len(pages)):
        for other in range(one):
            swapped = list(pages)
            swapped[one], swapped[other] = pages[other], pages[one]
            yield b"".join(swapped)


def copies(whole: bytes) -> Iterator[bytes]:
    """Each page in the place of another: what a misdirected write leaves."""
    pages = [whole[i : i + PAGE] for i in range(0, len(whole), PAGE)]
    for one in range(len(pages)):
        for other in range(len(pages)):
            if one != other:
                yield b"".join([*pages[:one], pages[other], *pages[one + 1 :]])


def cuts(whole: bytes) -> Iterator[bytes]:
    rng = random.Random(22)
    yield from (whole[:n] for n in range(PAGE, len(whole), PAGE))
    yield from (whole[: rng.randrange(1, len(whole))] for _ in range(20))


@pytest.mark.parametrize("damage", [flips, swaps, copies, cuts])
def test_damage_gives_the_same_data_or_an_error_with_its_remedy(
    tmp_path: Path, sound: Path, damage: Callable[[bytes], Iterator[bytes]]
) -> None:
    truth, path = Content.of(sound), tmp_path / "run.journal"
    n_errors = 0
    for harmed in damage(sound.read_bytes()):
        path.write_bytes(harmed)
        try:
            found = Content.of(path)
        except JournalError as error:
            n_errors += 1
            assert str(path) in str(error)  # noqa: PT017 - some damage hits nothing
            assert error.hint  # noqa: PT017
        else:
            assert found == truth
    assert n_errors > 0


@pytest.mark.parametrize("damage", [flips, swaps])
def test_a_damaged_journal_is_not_written_to(
    tmp_path: Path, sound: Path, damage: Callable[[bytes], Iterator[bytes]]
) -> None:
    truth, path = Content.of(sound), tmp_path / "run.journal"
    for harmed in list(damage(sound.read_bytes()))[::4]:
        path.write_bytes(harmed)
        try:
            Journal.open(path).close()
        except JournalError:
            assert path.read_bytes() == harmed
        else:
            assert Content.of(path) == truth


def test_what_is_saved_of_a_flipped_journal_is_what_was_written(tmp_path: Path, sound: Path) -> None:
    truth, path = Content.of(sound), tmp_path / "run.journal"
    written = set(truth.entries)
    for i, harmed in enumerate(list(flips(sound.read_bytes()))[::8]):
        path.write_bytes(harmed)
        saved = tmp_path / f"saved{i}"
        salvage(path, saved)
        with JournalReader(saved) as reader:
            assert written.issuperset(reader.entries())
