"""CPU time and memory of the verbs that read a run folder, for a tuning of many runs.

    python benchmarks/readers.py [--runs N] [--folder FOLDER]

A short tuning in simulated time is repeated, block by block, with new numbers; both are seeded. Each verb
runs in its own process. `status` and `best` are called twice: first they replay the journal, then they know.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from math import exp
from pathlib import Path

from tightrope import Budget, tune
from tightrope.cli.runs.folder import RunFolder, Settings
from tightrope.records import Decision, Trial
from tightrope.run import Virtual
from tightrope.store import Entry, Journal, JournalReader

N_BLOCK = 5_000  # runs of the tuning that is repeated
N_INSTANCES = 200
SCENARIO = """\
command = "true {{x}} {{y}} {{instance}}"
instances = [{instances}]
ceiling = 100
budget = {{ runs = {n} }}
model = "random"
[params]
x = {{ type = "real", range = [0.0, 1.0], default = 0.9 }}
y = {{ type = "real", range = [0.0, 1.0], default = 0.1 }}
"""


def cost(config: dict[str, float], instance: str, seed: int) -> float:
    """Return a lognormal cost that is smallest at (0.3, 0.7)."""
    draw = random.Random(f"{instance} {seed}").gauss(0.0, 1.0)
    noise = random.Random(f"{instance} {seed} {config['x']}").gauss(0.0, 0.2)
    return exp(draw + noise) * (1.0 + 3.0 * (config["x"] - 0.3) ** 2 + 2.0 * (config["y"] - 0.7) ** 2)


def make_folder(path: Path, n: int) -> RunFolder:
    """Write a run folder whose journal holds n runs."""
    names = ", ".join(f'"i{i}"' for i in range(N_INSTANCES))
    folder = RunFolder.create(
        path,
        SCENARIO.format(instances=names, n=n).encode(),
        Settings("scenario.toml", str(path.parent.absolute())),
    )
    scenario = replace(folder.scenario(), budget=Budget(runs=N_BLOCK))
    tune(scenario, journal=folder.journal, executor=Virtual(cost))
    with JournalReader(folder.journal) as reader:
        block = list(reader.entries())
    with Journal.open(folder.journal) as journal:
        for number in range(1, n // N_BLOCK):
            journal.extend(repeated(block, number))
    return folder.remember(replace(folder.settings, begun=True))


def repeated(block: list[Entry], number: int) -> Iterator[Entry]:
    """Yield the entries of a block as if they came after the blocks before."""
    n_decisions = 1 + max(entry.what.number for entry in block if isinstance(entry.what, Decision))
    duration_s = block[-1].at_s - block[0].at_s + max(
        entry.what.now_s for entry in block if isinstance(entry.what, Decision)
    )  # fmt: skip
    for entry in block:
        what = entry.what
        if isinstance(what, Decision):
            what = replace(
                what, number=what.number + number * n_decisions, now_s=what.now_s + number * duration_s
            )
        elif isinstance(what, Trial):
            what = replace(what, id=what.id + number * N_BLOCK)
        else:
            what = replace(what, trial_id=what.trial_id + number * N_BLOCK)
        yield Entry(what, entry.at_s + number * duration_s)


def measure(*words: str) -> str:
    """Return CPU time and peak memory of a command."""
    with open(os.devnull, "w") as nothing:
        child = subprocess.Popen([sys.executable, "-m", "tightrope", *words], stdout=nothing, stderr=nothing)
        _, status, usage = os.wait4(child.pid, 0)
    cpu_s, mb = usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1e3
    return f"{cpu_s:.2f} s CPU | {mb:.0f} MB | exit {os.waitstatus_to_exitcode(status)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1_000_000, help="runs in the journal")
    parser.add_argument(
        "--folder", type=Path, default=None, help="folder to write to; default: a temporary one"
    )
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as temporary:
        began_s = time.process_time()
        path = Path(temporary) / "big"
        make_folder(path, arguments.runs)
        print(f"made {arguments.runs} runs in {time.process_time() - began_s:.0f} s CPU", flush=True)
        print("| verb | CPU time | memory | |\n| --- | --- | --- | --- |")
        words = [("export", "-o", str(path / "runs.csv")), ("status",), ("status",), ("best",), ("resume",)]
        for verb, *options in words:
            print(f"| {verb} | {measure(verb, str(path), *options)} |", flush=True)


if __name__ == "__main__":
    main()
