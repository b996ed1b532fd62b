"""Opening journals: paths, versions, disks and permissions, with errors that say what to do."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from journals import runs_in, write, written
from tightrope.errors import JournalError
from tightrope.store import Journal, JournalReader, disk, salvage

OPENERS = [Journal.open, JournalReader]
NOBODY = 65534


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run.journal"


@pytest.mark.parametrize("opener", OPENERS)
def test_a_missing_file_is_named(opener: Callable[[Path], object], path: Path) -> None:
    with pytest.raises(JournalError, match=r"run\.journal: there is no such file") as caught:
        opener(path)
    assert caught.value.path == str(path)
    assert caught.value.hint
    assert list(path.parent.iterdir()) == []


@pytest.mark.parametrize("opener", [*OPENERS, Journal.create])
def test_a_folder_is_not_a_journal(opener: Callable[[Path], object], tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="this is a folder; name a file"):
        opener(tmp_path)


@pytest.mark.parametrize("opener", OPENERS)
def test_a_text_is_not_a_journal(opener: Callable[[Path], object], path: Path) -> None:
    path.write_text("cost,cap\n" * 1000)
    with pytest.raises(JournalError, match="not a journal"):
        opener(path)


@pytest.mark.parametrize("opener", OPENERS)
def test_an_empty_file_is_not_a_journal(opener: Callable[[Path], object], path: Path) -> None:
    path.touch()
    with pytest.raises(JournalError, match="not a journal but empty"):
        opener(path)


@pytest.mark.parametrize("opener", OPENERS)
def test_a_foreign_database_is_not_a_journal(opener: Callable[[Path], object], path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE trial (id)")
    connection.close()
    with pytest.raises(JournalError, match="another program's database"):
        opener(path)


@pytest.mark.parametrize("opener", OPENERS)
@pytest.mark.parametrize(("version", "message"), [(3, "newer tightrope.*update"), (0, "schema 0 has never")])
def test_another_schema_is_refused(
    opener: Callable[[Path], object], path: Path, version: int, message: str
) -> None:
    written(path, 1)
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {version}")
    connection.close()
    with pytest.raises(JournalError, match=message):
        opener(path)


def test_a_failed_opening_leaves_no_lock(path: Path) -> None:
    path.write_text("cost,cap\n" * 1000)
    with pytest.raises(JournalError):
        Journal.open(path)
    path.unlink()
    Journal.create(path).close()


def test_creating_does_not_overwrite(path: Path) -> None:
    written(path, 2)
    with pytest.raises(JournalError, match=r"exists already; continue it with Journal\.open"):
        Journal.create(path)
    assert len(runs_in(path)) == 2


def test_creating_in_a_missing_folder_names_it(path: Path) -> None:
    with pytest.raises(JournalError, match=r"the folder .*absent does not exist"):
        Journal.create(path.parent / "absent" / "run.journal")


def test_creating_continues_where_a_crash_left_an_empty_file(path: Path) -> None:
    path.touch()
    written(path, 1)
    assert len(runs_in(path)) == 1


def test_creating_continues_where_a_crash_left_an_empty_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = wal")
    assert path.stat().st_size > 0
    written(path, 1)
    assert len(runs_in(path)) == 1


@pytest.mark.parametrize("name", ["with space", "per%cent", "quest?ion", "ha#sh", "ü漢", "semi;colon"])
def test_any_name_will_do(tmp_path: Path, name: str) -> None:
    assert len(runs_in(written(tmp_path / name, 1))) == 1
    assert (tmp_path / name).is_file()


def test_a_relative_path_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Journal.create("run.journal") as journal:
        write(journal, [0])
    assert len(runs_in(tmp_path / "run.journal")) == 1


def test_on_a_local_disk_there_is_a_write_ahead_log(path: Path) -> None:
    with Journal.create(path, disk="local") as journal:
        assert journal.mode == "wal"
        assert journal._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_on_a_network_disk_there_is_a_rollback_journal(path: Path) -> None:
    with Journal.create(path, disk="network") as journal:
        write(journal, range(3))
        assert journal.mode == "rollback"
        assert journal._connection.execute("PRAGMA journal_mode").fetchone() == ("truncate",)
        assert len(runs_in(path)) == 3


def test_a_journal_can_move_between_disks(path: Path) -> None:
    written(path, 2)
    for where in ("network", "local", "network"):
        with Journal.open(path, disk=where) as journal:  # type: ignore[arg-type]
            assert len(journal.history()) == 2


def test_an_unknown_kind_of_disk_is_refused(path: Path) -> None:
    with pytest.raises(ValueError, match="'auto', 'local' or 'network', not 'floppy'"):
        Journal.create(path, disk="floppy")  # type: ignore[arg-type]


MOUNTS = """\
22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
30 22 0:40 / /home rw,relatime shared:5 master:1 - nfs4 server:/home rw,vers=4.2
31 30 0:41 / /home/local rw,relatime - xfs /dev/sdb rw
32 22 0:42 / /my\\040share rw,relatime - cifs //server/share rw
33 22 0:43 / /mnt/remote rw,relatime - fuse.sshfs user@server: rw
34 22 0:44 / /over rw,relatime - ext4 /dev/sdc rw
35 22 0:45 / /over rw,relatime - nfs server:/over rw
"""


@pytest.mark.parametrize(
    ("path", "filesystem", "is_network"),
    [
        ("/data/run.journal", "ext4", False),
        ("/home/me/run.journal", "nfs4", True),
        ("/home/local/run.journal", "xfs", False),
        ("/homely/run.journal", "ext4", False),
        ("/my share/run.journal", "cifs", True),
        ("/mnt/remote/deep/run.journal", "fuse.sshfs", True),
        ("/over/run.journal", "nfs", True),
    ],
)
def test_the_disk_is_found_in_the_table_of_mounts(path: str, filesystem: str, is_network: bool) -> None:
    assert disk.disk_of(Path(path), mounts=MOUNTS) == disk.Disk(filesystem, is_network)


def test_an_unknown_disk_counts_as_a_network_disk() -> None:
    assert disk.disk_of(Path("/x"), mounts="").is_network


def _as_ordinary_user(work: Callable[[], object]) -> str:
    """Return the error that an unprivileged process gets, or the result of `work`."""
    receiver, sender = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            if os.geteuid() == 0:
                os.setuid(NOBODY)
            answer = f"answer: {work()}"
        except BaseException as error:  # noqa: BLE001 - whatever it is has to reach the test
            answer = f"{type(error).__name__}: {error}"
        os.write(sender, answer.encode())
        os._exit(0)
    os.close(sender)
    os.waitpid(child, 0)
    with os.fdopen(receiver) as pipe:
        return pipe.read()


@pytest.fixture
def closed_folder(tmp_path: Path) -> Path:
    """Return a folder that can be read and not written, with a journal of two runs."""
    folder = tmp_path / "closed"
    folder.mkdir()
    written(folder / "run.journal", 2)
    for parent in (tmp_path, *list(tmp_path.parents)[:2]):
        if parent.stat().st_uid == os.geteuid():
            parent.chmod(0o755)
    folder.chmod(0o555)
    return folder


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
class TestAFolderThatCannotBeWritten:
    def test_refuses_a_new_journal(self, closed_folder: Path) -> None:
        told = _as_ordinary_user(lambda: Journal.create(closed_folder / "new"))
        assert told.startswith("JournalError: ")
        assert "choose a writable folder" in told

    def test_refuses_a_writer(self, closed_folder: Path) -> None:
        told = _as_ordinary_user(lambda: Journal.open(closed_folder / "run.journal"))
        assert told.startswith("JournalError: ")
        assert "for reading use `tightrope status`, or JournalReader" in told

    def test_lets_readers_read(self, closed_folder: Path) -> None:
        path = closed_folder / "run.journal"
        assert _as_ordinary_user(lambda: len(JournalReader(path).history())) == "answer: 2"

    def test_lets_its_journal_be_salvaged_elsewhere(self, closed_folder: Path) -> None:
        target = closed_folder.parent / "open"
        target.mkdir()
        target.chmod(0o777)
        told = _as_ordinary_user(lambda: salvage(closed_folder / "run.journal", target / "new"))
        assert told.startswith("answer: trials saved: 2")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_an_unreadable_file_is_reported(closed_folder: Path) -> None:
    path = closed_folder / "run.journal"
    path.chmod(0)
    told = _as_ordinary_user(lambda: JournalReader(path))
    assert told.startswith("JournalError: ")
    assert "cannot be opened; check the permissions" in told
