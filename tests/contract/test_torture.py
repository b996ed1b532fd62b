"""Two hundred runs of targets that behave badly, and drivers that are killed while they start some."""

import os
import random
import select
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest

from survivors import await_end, new_mark, survivors
from tightrope.records import Config, Outcome, Status, Trial
from tightrope.run import CommandTarget, Process

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the supervisor is for Linux"),
]

ADVERSARY = [sys.executable, "-I", "-S", str(Path(__file__).parents[1] / "targets" / "adversary.py")]
N_RUNS, N_SLOTS, N_DRIVERS = 200, 4, 12


@dataclass(frozen=True)
class Case:
    """A way to behave badly, the limits it meets, and what must come of it."""

    way: str
    status: Status
    clock: Literal["cpu", "wall"] = "cpu"
    cap_s: float = 60.0


CASES = (
    Case("spin", Status.CAPPED, cap_s=0.1),
    Case("deaf", Status.CAPPED, cap_s=0.1),
    Case("bomb", Status.CAPPED, cap_s=0.1),
    Case("bomb", Status.CAPPED, "wall", cap_s=0.3),
    Case("scatter", Status.CAPPED, cap_s=0.1),
    Case("leaderless", Status.CAPPED, cap_s=0.1),
    Case("sleep", Status.CAPPED, "wall", cap_s=0.1),
    Case("stop", Status.CAPPED, "wall", cap_s=0.1),
    Case("zombies", Status.CAPPED, "wall", cap_s=0.1),
    Case("mute", Status.DONE),
    Case("binary", Status.DONE),
    Case("leave_daemon", Status.DONE),
    Case("hop", Status.DONE),
    Case("orphans", Status.DONE),
    Case("crash", Status.FAILED),
    Case("no_such_way", Status.FAILED),
)
RARE = (Case("flood", Status.DONE),)  # a gigabyte takes its time


def test_two_hundred_bad_runs_are_classified_rightly_and_leave_nothing() -> None:
    mark = new_mark()
    cases = [*random.Random(1).choices(CASES, k=N_RUNS - 4), *(4 * RARE)]
    random.Random(2).shuffle(cases)
    outcomes = run_all(cases, mark)
    wrong = [
        (case, outcomes[number])
        for number, case in enumerate(cases)
        if outcomes[number].status is not case.status
    ]
    assert wrong == []
    assert survivors(mark) == []


def run_all(cases: list[Case], mark: dict[str, str]) -> dict[int, Outcome]:
    """Keep all slots busy until every case has an outcome."""
    waiting = list(enumerate(cases))
    running: dict[int, Process] = {}
    outcomes: dict[int, Outcome] = {}
    while waiting or running:
        while waiting and len(running) < N_SLOTS:
            number, case = waiting.pop()
            target = CommandTarget([*ADVERSARY, case.way], clock=case.clock, env=mark)
            process = target.start(Trial(number, Config({}), cap=case.cap_s))
            running[process.fileno()] = process
        for descriptor in select.select(list(running), [], [])[0]:
            outcome = running[descriptor].poll()
            if outcome is not None:
                del running[descriptor]
                outcomes[outcome.trial_id] = outcome
    return outcomes


# One process that knows the package forks many drivers; each starts runs and says so until it is killed.
DRIVERS = """
import os, signal, sys
from tightrope.run.supervise.supervisor import Limits, Supervised
for _ in range(int(sys.argv[1])):
    if os.fork() == 0:
        runs = []
        for n in range(5):
            runs.append(Supervised(sys.argv[2:], Limits()))
            os.write(1, b"%d %d\\n" % (os.getpid(), n))
        signal.pause()
signal.pause()
"""


def test_drivers_killed_while_they_start_runs_leave_nothing() -> None:
    mark = new_mark()
    command = [sys.executable, "-c", DRIVERS, str(N_DRIVERS), *ADVERSARY, "scatter"]
    instants = random.Random(3)
    last_run: dict[int, int] = {}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ | mark) as parent:
        assert parent.stdout is not None
        killed = 0
        while killed < N_DRIVERS:
            driver, number = map(int, parent.stdout.readline().split())
            if last_run.setdefault(driver, instants.randrange(5)) == number:
                os.kill(driver, signal.SIGKILL)
                killed += 1
        await_end([pid for pid in survivors(mark) if pid != parent.pid])
        parent.kill()
    assert survivors(mark) == []
