"""The verb rescue: damaged rows are named and set aside, and the tuning goes on."""

import json
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tightrope.cli.main import Exit, run
from tightrope.store import Entry, Journal, JournalReader

Capture = pytest.CaptureFixture[str]
PAGE = 4096


def harm(tuned: Path, statement: str) -> Path:
    """Change the journal behind the back of its checksums."""
    journal = tuned / "tuning.journal"
    with closing(sqlite3.connect(journal)) as connection:
        connection.execute(statement)
        connection.commit()
    return journal


def entries_of(journal: Path) -> list[Entry]:
    with JournalReader(journal) as reader:
        return list(reader.entries())


def test_a_sound_journal_stays_as_it_is(tuned: Path, capsys: Capture) -> None:
    journal = tuned / "tuning.journal"
    before = journal.read_bytes()
    assert run(["rescue"]) == Exit.DONE
    assert "every row is sound, so nothing was changed" in capsys.readouterr().out
    assert journal.read_bytes() == before


def test_a_damaged_row_is_named_by_the_reader_with_the_remedy(tuned: Path, capsys: Capture) -> None:
    harm(tuned, "UPDATE outcome SET cost = cost / 2 WHERE trial = 7")
    for verb in ("status", "resume", "export"):
        capsys.readouterr()
        assert run([verb]) == Exit.FAILED
        error = capsys.readouterr().err
        assert "of the table outcome does not match its checksum" in error
        assert f"`tightrope rescue {tuned}/tuning.journal`" in error


def test_the_row_is_set_aside_and_nothing_else(tuned: Path, capsys: Capture) -> None:
    truth = entries_of(tuned / "tuning.journal")
    journal = harm(tuned, "UPDATE outcome SET cost = cost / 2 WHERE trial = 7")
    harmed = journal.read_bytes()
    assert run(["rescue", str(tuned)]) == Exit.DONE
    out = capsys.readouterr().out
    assert "set aside: row" in out
    assert "of the table outcome: it does not match its checksum" in out
    assert "next:  tightrope resume" in out
    rest = [entry for entry in truth if getattr(entry.what, "trial_id", None) != 7]
    assert entries_of(journal) == rest
    assert (tuned / "tuning.journal.damaged").read_bytes() == harmed
    assert sorted(each.name for each in tuned.glob("tuning.journal*")) == [
        "tuning.journal",
        "tuning.journal.damaged",
        "tuning.journal.lock",
    ]


def test_a_rescued_tuning_runs_the_lost_trial_again(tuned: Path) -> None:
    harm(tuned, "UPDATE outcome SET cost = cost / 2 WHERE trial = 7")
    assert run(["rescue", str(tuned)]) == Exit.DONE
    assert run(["resume", str(tuned), "-q", "--budget", "33 runs"]) == Exit.DONE
    with JournalReader(tuned / "tuning.journal") as reader:
        history = reader.history()
    assert len(history) == 33
    assert history.columns.trial.tolist().count(7) == 1


LOSSES = [
    "UPDATE outcome SET cost = 9 WHERE trial = 0",
    "UPDATE outcome SET note = 'x'",
    "UPDATE trial SET cap = 9 WHERE id < 5",
    "UPDATE decision SET now_s = 9 WHERE number < 3",
    "UPDATE config SET value = '{}' WHERE id = 1",
    "UPDATE task SET seed = 9 WHERE id = 1",
    "UPDATE meta SET value = 'x' WHERE name = 'scenario'",
    "UPDATE meta SET value = 99 WHERE name = 'seed'",
]


@pytest.mark.parametrize("loss", LOSSES)
def test_whatever_was_lost_the_tuning_goes_on(tuned: Path, loss: str) -> None:
    harm(tuned, loss)
    assert run(["resume", str(tuned), "-q"]) == Exit.FAILED
    assert run(["rescue", str(tuned), "-q"]) == Exit.DONE
    assert run(["status", str(tuned), "-q"]) == Exit.DONE
    assert run(["resume", str(tuned), "-q", "--budget", "34 runs"]) == Exit.DONE


def test_a_page_overwritten_anywhere_can_be_lived_with(tuned: Path) -> None:
    journal = tuned / "tuning.journal"
    whole = journal.read_bytes()
    rng = random.Random(5)
    for page in range(0, len(whole), PAGE):
        for extra in tuned.glob("tuning.journal.*"):
            extra.unlink()
        journal.write_bytes(whole[:page] + rng.randbytes(PAGE) + whole[page + PAGE :])
        if run(["status", str(tuned), "-q"]) == Exit.DONE:
            continue
        code = run(["rescue", str(tuned), "-q"])
        if code == Exit.DONE:
            assert run(["status", str(tuned), "-q"]) in (Exit.DONE, Exit.USAGE)
        else:
            assert code == Exit.FAILED  # nothing could be saved: the root of a table


def test_what_was_rescued_is_told_as_json(tuned: Path, capsys: Capture) -> None:
    harm(tuned, "UPDATE outcome SET cost = 9 WHERE trial = 3")
    capsys.readouterr()
    assert run(["rescue", str(tuned / "tuning.journal"), "--json"]) == Exit.DONE
    told = json.loads(capsys.readouterr().out)
    assert (told["sound"], len(told["set_aside"]), told["outcomes"]) == (False, 1, 29)


def test_a_second_rescue_keeps_the_first_damaged_file(tuned: Path) -> None:
    for trial in (3, 4):
        harm(tuned, f"UPDATE outcome SET cost = 9 WHERE trial = {trial}")
        assert run(["rescue", str(tuned), "-q"]) == Exit.DONE
    assert (tuned / "tuning.journal.damaged").exists()
    assert (tuned / "tuning.journal.damaged1").exists()


def test_a_journal_that_is_being_written_is_left_alone(tuned: Path, capsys: Capture) -> None:
    journal = tuned / "tuning.journal"
    with Journal.open(journal):
        harm(tuned, "UPDATE outcome SET cost = 9 WHERE trial = 3")
        assert run(["rescue", str(tuned)]) == Exit.FAILED
        assert "it is being written by process" in capsys.readouterr().err


def test_a_rescue_that_was_killed_half_way_is_finished(tuned: Path) -> None:
    shutil.move(tuned / "tuning.journal", tuned / "tuning.journal.rescued")
    assert run(["rescue", str(tuned)]) == Exit.DONE
    assert len(entries_of(tuned / "tuning.journal")) > 0


def test_a_missing_journal_is_named(tuned: Path, capsys: Capture) -> None:
    (tuned / "tuning.journal").unlink()
    assert run(["rescue", str(tuned)]) == Exit.USAGE
    assert "there is no journal in" in capsys.readouterr().err
