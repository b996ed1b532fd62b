"""Tables of results that grow job by job, so that an interrupted experiment can resume."""

import csv
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

Row = dict[str, Any]

_JOBS_A_LINE = 10


def read_rows(path: Path) -> list[Row]:
    """Return all rows as text; no rows if the file does not exist."""
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def append_rows(path: Path, rows: Sequence[Row]) -> None:
    """Append rows to a table; a new table starts with a header."""
    path.parent.mkdir(parents=True, exist_ok=True)
    is_new = not path.exists()
    with path.open("a", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]), lineterminator="\n")
        if is_new:
            writer.writeheader()
        writer.writerows(rows)


def write_rows(path: Path, rows: Sequence[Row]) -> None:
    """Write a table, replacing an existing file."""
    path.unlink(missing_ok=True)
    append_rows(path, rows)


def run_jobs(work: Callable[[Any], list[Row]], jobs: Sequence[Any], *, path: Path, processes: int) -> None:
    """Run every job, append its rows as soon as it is done, and show the progress."""
    show = _with_bar if sys.stdout.isatty() else _with_lines
    for rows in show(_results(work, jobs, processes=processes), len(jobs)):
        append_rows(path, rows)


def _with_bar(results: Iterable[list[Row]], n_jobs: int) -> Iterator[list[Row]]:
    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("jobs done,"),
        TimeRemainingColumn(),
        TextColumn("left"),
    )
    with Progress(*columns) as progress:
        yield from progress.track(results, total=n_jobs)


def _with_lines(results: Iterable[list[Row]], n_jobs: int) -> Iterator[list[Row]]:
    start_s = time.monotonic()
    for number, rows in enumerate(results, start=1):
        yield rows
        if number % _JOBS_A_LINE == 0 or number == n_jobs:
            left_s = (time.monotonic() - start_s) / number * (n_jobs - number)
            left = f", about {left_s / 60:.0f} minutes left" if number < n_jobs else ""
            print(f"{number} of {n_jobs} jobs done{left}", flush=True)


def _results(work: Callable[[Any], list[Row]], jobs: Iterable[Any], *, processes: int) -> Iterator[list[Row]]:
    if processes == 1:
        yield from map(work, jobs)
        return
    with ProcessPoolExecutor(processes) as pool:  # a worker that dies raises an error instead of a hang
        for done in as_completed([pool.submit(work, job) for job in jobs]):
            yield done.result()
