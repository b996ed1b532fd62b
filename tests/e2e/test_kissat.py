"""From a solver and a folder of instances to a command line to paste, with a kill -9 on the way."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import pytest

from survivors import await_end, new_mark, survivors
from tightrope.demo.folder import write_instances
from tightrope.demo.instance import Size
from tightrope.demo.kissat import find_kissat
from tightrope.records import Run
from tightrope.store import JournalReader

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the supervisor is for Linux"),
]

N_INSTANCES = 6
SIZE = Size(n_frames=3)  # a twentieth of a second
RUNS_BEFORE, RUNS = 15, 40
PATIENCE_S = 300  # on a machine that has other things to do
UNSATISFIABLE = 20  # exit code of SAT solvers


class User:
    """Somebody who types commands in a folder; all that they start can be found."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.mark = new_mark()
        self._variables = os.environ | {"OMP_NUM_THREADS": "1", "NO_COLOR": "1"} | self.mark

    def start(self, *words: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, "-m", "tightrope", *words],
            cwd=self.folder,
            env=self._variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def type(self, *words: str) -> str:
        """Run a command that must succeed, and return what it printed."""
        with self.start(*words) as process:
            out, err = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 0, f"{words}: exit code {process.returncode}\n{out}\n{err}"
        return out

    def kill_in_the_middle(self, *words: str) -> list[int]:
        """Start a tuning that tells every run, kill it after some, and return the numbers of those."""
        with self.start(*words) as process:
            assert process.stdout is not None
            told = [int(match[1]) for match in islice(self._ends(process.stdout), RUNS_BEFORE)]
            process.kill()
        assert process.returncode == -signal.SIGKILL
        return told

    @staticmethod
    def _ends(lines: Iterable[str]) -> Iterator[re.Match[str]]:
        return (match for line in lines if (match := re.search(r"  run (\d+)  #", line)))

    def await_all(self) -> None:
        """Wait until nothing is left of what was started: nobody ends it but its supervisors."""
        # A process that is just being executed shows no environment, and so no mark: look twice.
        while left := survivors(self.mark) or survivors(self.mark):
            await_end(left)

    def runs(self) -> list[Run]:
        """Return the runs that are in the journal."""
        with JournalReader(self.folder / "runs" / "circuits" / "tuning.journal") as journal:
            return list(journal.history())


@pytest.fixture
def user(tmp_path: Path) -> User:
    """Return somebody with Kissat and formulas, and nothing else."""
    folder = tmp_path / "circuits"
    folder.mkdir()
    (folder / "kissat").symlink_to(find_kissat())
    write_instances(folder, N_INSTANCES, size=SIZE)
    (folder / "answers.csv").unlink()
    return User(folder)


def test_a_solver_is_tuned_killed_resumed_validated_and_handed_over(user: User) -> None:
    assert user.type("init").splitlines()[-1] == "next:  tightrope check"
    assert user.type("check").splitlines()[-1] == "next:  tightrope tune"

    told = user.kill_in_the_middle("tune", "-v", "--workers", "2", "--budget", f"{RUNS} runs")
    user.await_all()
    before = user.runs()
    assert len(told) == RUNS_BEFORE
    assert set(told) <= {run.trial.id for run in before}
    assert "tightrope resume runs/circuits" in user.type("status")

    resumed = json.loads(user.type("resume", "--json"))
    after = user.runs()
    assert after[: len(before)] == before
    assert resumed["runs"]["all"] == len(after) >= RUNS > len(before)

    validated = json.loads(user.type("validate", "--json"))
    solved = [each["solved"] for each in validated["contenders"]]
    assert solved == [N_INSTANCES, N_INSTANCES]

    command = user.type("best").replace("INSTANCE", "test/circuit-1000.cnf").replace("SEED", "1")
    pasted = subprocess.run(shlex.split(command), cwd=user.folder, capture_output=True, text=True)
    assert pasted.returncode == UNSATISFIABLE
    assert "s UNSATISFIABLE" in pasted.stdout
    assert survivors(user.mark) == []
