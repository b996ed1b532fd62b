"""Overhead of the supervisor of a command, overshoot of runs beyond their caps, and accuracy of CPU times.

Times depend on other load: run it on an idle machine.
"""

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence

from tightrope.records import Config, Outcome, Trial
from tightrope.run import CommandTarget, wait

PYTHON = [sys.executable, "-I", "-S", "-c"]
SPIN = [*PYTHON, "while True: pass"]
FORK = "import os\nfor _ in range({n}): os.fork()\nwhile True: pass"
BURN = "import time\nwhile time.process_time() < {s}: pass"
TREE = "import os, time\nif os.fork(): os.wait()\nelse: os.fork() and os.wait()\n" + BURN
N_STARTS, N_CAPS = 200, 100


def run(command: Sequence[str], cap_s: float) -> Outcome:
    outcome = wait(CommandTarget(command).start(Trial(0, Config({}), cap=cap_s)))
    assert outcome is not None
    return outcome


def children_s() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def percentile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, round(share * len(values)))]


def report(what: str, values_s: Sequence[float]) -> None:
    middle, high = statistics.median(values_s) * 1e3, percentile(values_s, 0.99) * 1e3
    print(f"| {what} | {middle:.2f} | {high:.2f} | {max(values_s) * 1e3:.2f} |", flush=True)


def time_starts(start: Callable[[], object]) -> tuple[list[float], list[float]]:
    """Return wall and CPU time of each call, including child processes."""
    walls, cpus = [], []
    for _ in range(N_STARTS):
        wall, cpu = time.perf_counter(), time.process_time() + children_s()
        start()
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() + children_s() - cpu)
    return walls, cpus


def overshoot(command: Sequence[str], cap_s: float) -> list[float]:
    return [run(command, cap_s).cpu_s - cap_s for _ in range(N_CAPS)]


def error(command: Sequence[str], used_s: float) -> list[float]:
    """Return the differences between measured CPU time and the kernel's accounting of all children."""
    errors = []
    for _ in range(20):
        before_s = children_s()
        subprocess.run(command, check=True)
        alone_s = children_s() - before_s
        errors.append(abs(run(command, 10 * used_s).cpu_s - alone_s))
    return errors


def main() -> None:
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n")
    print("| time in ms | median | 99 % | largest |\n| --- | --- | --- | --- |")
    plain_walls, plain_cpus = time_starts(lambda: subprocess.run(["/bin/true"], check=True))
    walls, cpus = time_starts(lambda: run(["/bin/true"], 10))
    report("wall time of /bin/true, plain", plain_walls)
    report("wall time of /bin/true, supervised", walls)
    report("CPU time of /bin/true, plain", plain_cpus)
    report("CPU time of /bin/true, supervised, all processes", cpus)
    report("CPU time charged to /bin/true", [run(["/bin/true"], 10).cpu_s for _ in range(N_STARTS)])
    report("overshoot of a CPU cap of 0.1 s, one process", overshoot(SPIN, 0.1))
    report("overshoot of a CPU cap of 0.3 s, one process", overshoot(SPIN, 0.3))
    report("overshoot of a CPU cap of 0.3 s, eight processes", overshoot([*PYTHON, FORK.format(n=3)], 0.3))
    report(
        "error of CPU time, one process of 0.2 s",
        error([*PYTHON, BURN.format(s=0.2)], 0.2),
    )
    report("error of CPU time, three generations", error([*PYTHON, TREE.format(s=0.1)], 0.3))
    before_s = children_s()
    outcome = run(SPIN, 3.0)
    own_s = children_s() - before_s - outcome.cpu_s
    print(f"\nSupervising a busy loop for {outcome.wall_s:.1f} s took {own_s * 1e3:.1f} ms of CPU time.")


if __name__ == "__main__":
    main()
