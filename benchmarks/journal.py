"""Speed of the journal: append runs, with a commit for each start and each outcome, and load a million runs.

    python benchmarks/journal.py [--runs N] [--folder FOLDER]

The goal for appending is in wall time, because waiting for the disk is part of it. The goal for loading is in
CPU time, which depends less on other load. Wall times are shown too.
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tightrope.records import MEASURES, Config, Outcome, Status, Task, Trial
from tightrope.store import Entry, Journal, JournalReader
from tightrope.store.schema import SUMS

N_APPENDED = 20_000
N_TASKS = 500
RUNS_PER_CONFIG = 5
APPEND_GOAL = 2000.0  # runs per second
LOAD_GOAL_S = 10.0


def trial(i: int) -> Trial:
    """Return a trial of a ten-parameter config."""
    number = i // RUNS_PER_CONFIG
    values = {f"rate{j}": (number * 0.618 + j / 7) % 1.0 for j in range(5)}
    config = Config({**values, "depth": number % 17, "kind": "abc"[number % 3], "on": number % 2 == 0,
                     "restarts": "luby", "limit": 10_000 + number})  # fmt: skip
    return Trial(i, config, 1.0 + i % 9, Task(f"instances/train/problem{i % N_TASKS:04}.cnf", i % 3))


def outcome(i: int) -> Outcome:
    """Return the trial's outcome; two in three are capped."""
    cost = 1.0 + i % 9
    status = Status.DONE if i % 3 == 0 else Status.CAPPED
    return Outcome(i, status, cost * 0.7 if i % 3 == 0 else cost, cost, wall_s=cost * 1.01, cpu_s=cost)


def entries(first: int, last: int) -> Iterator[Entry]:
    for i in range(first, last):
        yield Entry(trial(i), 1e9 + i)
        yield Entry(outcome(i), 1e9 + i)


def append(journal: Journal, first: int, last: int) -> None:
    for i in range(first, last):
        journal.start(trial(i))
        journal.finish(outcome(i))


def seconds(work: Callable[[], object]) -> tuple[float, float]:
    """Return wall and CPU time."""
    start, cpu_start = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - start, time.process_time() - cpu_start


def append_rate(journal: Journal, first: int, last: int) -> tuple[float, float]:
    """Return runs per second of wall time, and CPU time per run in microseconds."""
    wall_s, cpu_s = seconds(lambda: append(journal, first, last))
    return (last - first) / wall_s, 1e6 * cpu_s / (last - first)


def checksum_share(cpu_us: float) -> float:
    """Return the share of the checksums in the CPU time of appending a run."""
    rows = [("trial", (7, 7, 5, 3, 4.5, 1e9)), ("outcome", (8, 7, "done", *[1.5] * len(MEASURES), "", 1e9))]
    n = 20_000
    _, cpu_s = seconds(lambda: [SUMS[table].of(row) for _ in range(n) for table, row in rows])
    return 1e6 * cpu_s / n / cpu_us


def open_to_write(path: Path) -> None:
    Journal.open(path).close()


def read_all(reader: JournalReader) -> int:
    return sum(1 for _ in reader.stream())


def report(work: str, times: tuple[float, float], *, goal: str = "") -> None:
    print(f"| {work} | {times[1]:.2f} s CPU, {times[0]:.2f} s wall | {goal} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1_000_000, help="runs in the journal that is loaded")
    parser.add_argument(
        "--folder", type=Path, default=None, help="folder to write to; a temporary folder by default"
    )
    arguments = parser.parse_args()
    n = arguments.runs
    print("| work | measured | goal |\n| --- | --- | --- |")
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        path = Path(folder) / "run.journal"
        with Journal.create(path) as journal:
            empty, cpu_us = append_rate(journal, 0, N_APPENDED)
            print(f"| append to an empty journal | {empty:.0f} runs/s | {APPEND_GOAL:.0f} |", flush=True)
            share = checksum_share(cpu_us)
            print(
                f"| CPU time of a run; share of its checksums | {cpu_us:.0f} us; {share:.0%} | |", flush=True
            )
            report(
                f"fill up to {n} runs in one commit", seconds(lambda: journal.extend(entries(N_APPENDED, n)))
            )
            full, _ = append_rate(journal, n, n + N_APPENDED)
            print(f"| append to {n} runs | {full:.0f} runs/s | {APPEND_GOAL:.0f} |", flush=True)
        print(f"| size of the file | {path.stat().st_size / 1e6:.0f} MB | |")
        report("open it for writing: check all pages and rows", seconds(lambda: open_to_write(path)))
        with JournalReader(path) as reader:
            report("read run by run", seconds(lambda: read_all(reader)))
            load = seconds(reader.history)
            report(f"load {n + N_APPENDED} runs", load, goal=f"{LOAD_GOAL_S:.0f} s")
            history = reader.history()
            report("sums by config", seconds(history.by_config))
            report("sums by task", seconds(history.by_task))
            report("as a DataFrame", seconds(history.to_frame))
            report("as Run objects", seconds(lambda: list(history)))
            report("pending trials", seconds(reader.pending))
    reached = min(empty, full) >= APPEND_GOAL and load[1] <= LOAD_GOAL_S
    print("\nall goals are met" if reached else "\na goal is missed")


if __name__ == "__main__":
    main()
