"""Many slots on few cores: throughput, and CPU time per run as a ratio to a bare subprocess loop.

    python benchmarks/slots.py                 64 slots of 5 ms runs for ten minutes, 1000 slots of 1 s sleeps
    python benchmarks/slots.py --seconds 30    a short look
    python benchmarks/slots.py --slots 1000 --sleep-s 1 --seconds 60

A whole tuning is measured: deciding, journal, supervisors, and the targets (`sleep`), against a loop of
`subprocess.run` of the same command in the same process before it. Open files and memory are compared before
and after, to show what stays.
"""

import argparse
import os
import resource
import subprocess
import tempfile
import time
from pathlib import Path

from tightrope import Budget, Scenario, tune
from tightrope.run import CommandTarget, LocalPool

N_BARE = 300
CASES = ((64, 0.005, 600.0), (1000, 1.0, 120.0))  # slots, duration of a run, duration of the tuning


def used_s() -> float:
    """Return the CPU time of this process and of all children that have ended."""
    both = (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in both)


def bare_s(command: list[str]) -> float:
    """Return the CPU time per run of a bare loop."""
    start_s = used_s()
    for _ in range(N_BARE):
        subprocess.run(command, check=True)
    return (used_s() - start_s) / N_BARE


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


def memory_mb() -> float:
    (line,) = (each for each in Path("/proc/self/status").read_text().splitlines() if "VmRSS" in each)
    return int(line.split()[1]) / 1024


def measure(slots: int, sleep_s: float, seconds: float) -> str:
    """Tune for that long; return a row of the table."""
    command = ["sleep", str(sleep_s)]
    alone_s = bare_s(command)
    scenario = Scenario(
        space={"x": (0.0, 1.0), "kind": ["a", "b", "c"]},
        instances=[f"i{number}" for number in range(50)],
        ceiling=60.0,
        budget=Budget(wall=seconds),
        target=CommandTarget(["sh", "-c", f"exec sleep {sleep_s}"], names=[], clock="wall"),
    )
    files, before_mb, cpu_s, start_s = open_files(), memory_mb(), used_s(), time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        executor = LocalPool(slots, oversubscribe=True)
        result = tune(scenario, executor=executor, journal=Path(folder) / "run.journal")
    wall_s, cpu_s, n = time.perf_counter() - start_s, used_s() - cpu_s, len(result.history)
    busy = sum(run.outcome.wall_s for run in result.history) / (slots * wall_s)
    lost = sum(run.outcome.status.name in ("LOST", "FAILED") for run in result.history)
    return (
        f"| {slots} | {sleep_s * 1e3:g} ms | {n:,} | {n / wall_s:.0f} | {cpu_s / n * 1e3:.1f} ms "
        f"| {alone_s * 1e3:.1f} ms | {cpu_s / n / alone_s:.1f} | {busy:.0%} | {lost} "
        f"| {open_files() - files:+d} | {memory_mb() - before_mb:+.0f} MB |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--slots", type=int)
    parser.add_argument("--sleep-s", type=float, default=0.005)
    parser.add_argument("--seconds", type=float, help="duration of each tuning")
    options = parser.parse_args()
    cases = CASES if options.slots is None else ((options.slots, options.sleep_s, 60.0),)
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n")
    print("| slots | run | runs | per s | CPU per run | bare loop | ratio | busy | lost | files | memory |")
    print("| --- " * 11 + "|")
    for slots, sleep_s, seconds in cases:
        print(measure(slots, sleep_s, options.seconds or seconds), flush=True)


if __name__ == "__main__":
    main()
