"""Writes a journal on a disk whose n-th write fails, for every n; run by test_journal_disk_errors.py.

    LD_PRELOAD=failing_disk.so python failing_disk.py FOLDER DISK ERRNO FOR_GOOD

For each n it prints whether an error came, and stops with a traceback if anything is lost or unclear.
"""

import ctypes
import sys
from pathlib import Path

from journals import outcome, run, runs_in, write
from tightrope.errors import JournalError
from tightrope.store import Journal, JournalReader

N_RUNS = 5
MOST_CALLS = 10_000


def attempt(path: Path, disk: str) -> tuple[int, JournalError | None]:
    """Write runs until an error comes; return the number of runs that were confirmed, and the error."""
    n = 0
    try:
        with Journal.create(path, disk=disk) as journal:  # type: ignore[arg-type]
            while n < N_RUNS:
                write(journal, [n])
                n += 1
    except JournalError as error:
        return n, error
    return n, None


def require_resumable(path: Path, n_confirmed: int) -> None:
    """Continue the journal to its end; every confirmed run must be there, and at most one more."""
    if not path.exists() or path.stat().st_size == 0 or n_confirmed == 0:
        try:
            JournalReader(path).close()
        except JournalError:
            for file in path.parent.glob(f"{path.name}*"):
                file.unlink()
            Journal.create(path).close()
    with Journal.open(path) as journal:
        known = list(journal.history())
        assert known == [run(i) for i in range(len(known))]
        assert n_confirmed <= len(known) <= n_confirmed + 1
        for trial in journal.pending():
            journal.finish(outcome(trial.id))
        write(journal, range(len(journal.history()), N_RUNS))
    assert runs_in(path) == [run(i) for i in range(N_RUNS)]


def main() -> None:
    folder, disk, number, for_good = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4] == "1"
    shim = ctypes.CDLL(None)
    n_errors = 0
    for call in range(MOST_CALLS):
        path = folder / f"{disk}{number}{call}.journal"
        shim.fail_at(path.name.encode(), ctypes.c_long(call), number, int(for_good))
        n_confirmed, error = attempt(path, disk)
        n_calls = ctypes.c_long(shim.calls()).value
        shim.fail_at(b"", ctypes.c_long(-1), 0, 0)
        if error is not None:
            n_errors += 1
            assert error.hint, error
            assert str(path) in str(error), error
        require_resumable(path, n_confirmed)
        if n_calls <= call:  # nothing was left to fail
            break
    sys.stdout.write(f"{call} calls, {n_errors} errors\n")


if __name__ == "__main__":
    main()
