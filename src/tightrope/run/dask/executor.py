"""DaskExecutor: trials under way on the workers of a Dask cluster."""

import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from queue import Empty
from typing import Self

from tightrope.errors import ExecutorError, Finding
from tightrope.records import Outcome, Status, Trial
from tightrope.run.dask.connection import Connection
from tightrope.run.dask.link import Broken, Ended, Heard, Joined, Left, Link, Refused
from tightrope.run.dask.roster import Member, Roster
from tightrope.run.dask.worker import lost
from tightrope.run.target import Target


@dataclass(slots=True)
class _Flight:
    """A trial under way, and where."""

    trial: Trial
    token: str
    member: Member
    start_s: float
    is_cancelled: bool = False


class DaskExecutor:
    """A live executor on a Dask cluster; see `tightrope.run.executor.Executor`.

    `slots` follows the workers that come and go. If one is lost between a look at it and a start, the trial
    that was to have it is LOST.

    Parameters
    ----------
    connection : Connection
        The cluster; closed together with the fleet.
    target : Target
        What is run; closed together with the fleet.
    patience_s : float
        How long to wait for workers when there is none.
    bench_after : int
        How many times in a row a worker may lose runs.
    """

    def __init__(
        self, connection: Connection, target: Target, *, patience_s: float, bench_after: int
    ) -> None:
        self._connection = connection
        self._target = target
        self._patience_s = patience_s
        self._name = f"tightrope-{uuid.uuid4().hex}"
        self._roster = Roster(bench_after)
        self._link = Link(connection.client, target, name=self._name, log=connection.worker_log)
        self._flights: dict[int, _Flight] = {}
        self._over: list[Outcome] = []
        self._findings: list[Finding] = []
        self._refusals: dict[str, str] = {}
        self._promised = 0  # slots as last told
        self._deserted_s: float | None = self.clock()  # since when there is no worker
        self._is_closed = False

    def __repr__(self) -> str:
        state = "closed" if self._is_closed else f"{len(self._flights)} under way"
        size = f"{self._roster.size} workers, {self._roster.slots} slots"
        return f"DaskExecutor({self._connection}, {size}, {state})"

    @property
    def slots(self) -> int:
        """How many trials may be under way at once: one on each thread of each worker."""
        self._take_in(0.0)
        self._promised = self._roster.slots
        return self._promised

    def await_workers(self, n: int) -> None:
        """Wait until so many workers are ready, or raise and say how many came."""
        deadline_s = self.clock() + self._patience_s
        while self._roster.size < n:
            if self.clock() >= deadline_s:
                came = f"{self._roster.size} of {n} workers came to {self._connection}"
                raise self._lack(f"{came} within {self._patience_s:g} s")
            self._take_in(deadline_s - self.clock())

    def start(self, trial: Trial) -> None:
        """Start a trial and return at once."""
        self._check_open()
        if trial.id in self._flights or any(outcome.trial_id == trial.id for outcome in self._over):
            raise ExecutorError(f"trial {trial.id} is under way already")
        if len(self._flights) + len(self._over) >= max(self._promised, self.slots):
            raise ExecutorError(f"trial {trial.id} finds all {self._promised} slots taken")
        member = self._roster.place(trial.id)
        if member is None:
            self._over.append(lost(trial.id, "the worker that was to run it had gone"))
            return
        flight = _Flight(trial, f"{self._name}-{uuid.uuid4().hex}", member, self.clock())
        self._flights[trial.id] = flight
        self._link.start(flight.token, trial, member=member)

    def cancel(self, trial_id: int) -> None:
        """Ask for a trial under way to be stopped."""
        self._check_open()
        flight = self._flights.get(trial_id)
        if flight is not None:
            flight.is_cancelled = True
            self._link.cancel(flight.token, member=flight.member)
        elif all(outcome.trial_id != trial_id for outcome in self._over):
            raise ExecutorError(f"trial {trial_id} is not under way, and cannot be cancelled")

    def wait(self, timeout_s: float | None = None) -> Sequence[Outcome]:
        """Return the outcomes of trials that are over, each once; their slots are free then.

        If there is no worker left to run anything, wait for one to come, or raise when patience ends.
        """
        self._check_open()
        deadline_s = inf if timeout_s is None else self.clock() + timeout_s
        self._take_in(0.0)
        while not self._over and (self._flights or self._deserted_s is not None):
            limit_s = deadline_s if self._deserted_s is None else self._deserted_s + self._patience_s
            remaining_s = min(deadline_s, limit_s) - self.clock()
            if remaining_s <= 0 and limit_s < deadline_s:
                raise self._lack(f"there has been no worker at {self._connection} for {self._patience_s:g} s")
            if remaining_s <= 0:
                break
            self._take_in(None if remaining_s == inf else remaining_s)
        outcomes, self._over = self._over, []
        return outcomes

    def findings(self) -> Sequence[Finding]:
        """Return what the user might want to know about runs and workers, each finding once."""
        findings, self._findings = [*self._findings, *self._roster.findings()], []
        return findings

    def clock(self) -> float:
        """Return seconds since some moment."""
        return time.monotonic()

    def decided(self, number: int) -> None:
        """Do nothing: real time passes by itself."""

    def close(self) -> None:
        """Kill what is under way on all workers, and leave the cluster."""
        if self._is_closed:
            return
        self._is_closed = True
        try:
            self._link.close()
        finally:
            self._connection.close()
            self._target.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _check_open(self) -> None:
        if self._is_closed:
            raise ExecutorError("this executor has been closed", hint="open another one")

    def _take_in(self, timeout_s: float | None) -> None:
        """Take in everything that was heard; if that is nothing, wait for something."""
        try:
            self._learn(self._link.heard.get(timeout_s != 0.0, timeout_s or None))
            while True:
                self._learn(self._link.heard.get(block=False))
        except Empty:
            pass
        if self._roster.slots > 0:
            self._deserted_s = None
        elif self._deserted_s is None:
            self._deserted_s = self.clock()

    def _learn(self, heard: Heard) -> None:
        match heard:
            case Joined(member):
                self._roster.join(member)
                self._refusals.pop(member.address, None)
            case Left(address):
                self._refusals.pop(address, None)
                for trial_id in self._roster.leave(address):
                    self._lose(trial_id)
            case Refused(address, why):
                self._refusals[address] = why
            case Ended(token, report):
                self._end(token, report.outcome, report.findings)
            case Broken(error):
                raise ExecutorError(f"a trial could not be run at {self._connection}: {error}") from error

    def _lose(self, trial_id: int) -> None:
        flight = self._flights.pop(trial_id)
        self._link.forget(flight.token)
        note = f"its worker {flight.member.name} died"
        self._over.append(lost(trial_id, note, wall_s=self.clock() - flight.start_s))

    def _end(self, token: str, outcome: Outcome, findings: Sequence[Finding]) -> None:
        flight = self._flights.get(outcome.trial_id)
        if flight is None or flight.token != token:  # it was given up as lost before
            return
        del self._flights[outcome.trial_id]
        self._link.forget(token)
        is_lost = outcome.status is Status.LOST and not flight.is_cancelled
        self._roster.end(outcome.trial_id, is_lost=is_lost)
        self._over.append(outcome)
        self._findings += findings

    def _lack(self, problem: str) -> ExecutorError:
        hint = "start workers with `dask worker` and this address, or raise patience_s"
        if self._roster.benched:
            hint = f"benched for losing runs: {', '.join(self._roster.benched)}; {hint}"
        if self._refusals:
            (address, why), *others = self._refusals.items()
            hint = f"{1 + len(others)} cannot run trials, such as {address} ({why}); {hint}"
        return ExecutorError(problem, hint=hint)
