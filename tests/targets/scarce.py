"""Runs 120 innocent configs in a pool of 16 slots under a limit, and prints how they ended.

Arguments: "command" or "function", then one of "files=36", "processes=18", "none".
"""

import json
import os
import resource
import sys
from collections import Counter
from pathlib import Path

from tightrope.records import Config, Trial
from tightrope.run import CommandTarget, FunctionTarget, LocalPool

N_TRIALS, N_SLOTS = 120, 16


def limit(words: str) -> None:
    """Take on the limit."""
    name, _, value = words.partition("=")
    if name == "files":
        resource.setrlimit(resource.RLIMIT_NOFILE, (int(value), int(value)))
    elif name == "processes":
        group = Path(os.environ["PIDS_GROUP"])
        (group / "pids.max").write_text(value)
        (group / "cgroup.procs").write_text(str(os.getpid()))


def main(kind: str, words: str) -> None:
    limit(words)
    command = CommandTarget(["sleep", "0.02"], clock="wall")
    target = command if kind == "command" else FunctionTarget("builtins:len")
    ends: Counter[str] = Counter()
    codes: Counter[str] = Counter()
    waiting = [Trial(number, Config({"x": number}), cap=100.0) for number in range(N_TRIALS)]
    n_running = 0
    with LocalPool(N_SLOTS, oversubscribe=True).open(target) as executor:
        while waiting or n_running:
            while waiting and n_running < N_SLOTS:
                executor.start(waiting.pop())
                n_running += 1
            for outcome in executor.wait():
                n_running -= 1
                ends[outcome.status.name] += 1
            codes.update(f"{each.code} {each.severity.value}" for each in executor.findings())
    sys.stdout.write(json.dumps({"ends": ends, "findings": codes}))


if __name__ == "__main__":
    main(*sys.argv[1:])
