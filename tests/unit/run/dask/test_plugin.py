"""A worker of a cluster tries again to start what its machine could not start."""

import sys
from collections.abc import Collection

import pytest

from tightrope.records import Config, Status, Trial
from tightrope.run import CommandTarget, Process
from tightrope.run.dask.plugin import TrialRunner
from tightrope.run.start_error import StartError

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the supervisor is for Linux"),
    pytest.mark.usefixtures("hasty"),
]

TRIAL = Trial(7, Config({}), cap=60.0)


class Scarce:
    """A target that cannot be started at first."""

    def __init__(self, n_failures: int) -> None:
        self.n_failures = n_failures

    def start(self, trial: Trial, *, cores: Collection[int] = ()) -> Process:
        self.n_failures -= 1
        if self.n_failures >= 0:
            raise StartError("Too many open files", hint="raise the limit")
        return CommandTarget("true").start(trial, cores=cores)

    def close(self) -> None:
        """Do nothing."""


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tightrope.run.dask.plugin.FIRST_DELAY_S", 0.0)


def run(n_failures: int) -> tuple[Status, str]:
    runner = TrialRunner(Scarce(n_failures), None)
    runner.setup(None)
    outcome = runner.run("token", TRIAL).outcome
    return outcome.status, outcome.note


def test_nine_failures_cost_nothing() -> None:
    assert run(9) == (Status.DONE, "")


def test_ten_failures_lose_the_run_with_the_remedy() -> None:
    assert run(10) == (Status.LOST, "Too many open files; raise the limit")
