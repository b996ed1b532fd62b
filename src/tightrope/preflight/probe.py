"""Probes: single runs, each watched more closely than a tuning would, all together within a time."""

import os
import shlex
import time
from dataclasses import dataclass
from typing import Final

from tightrope.errors import Finding
from tightrope.records import Config, Outcome, Status, Task, Trial
from tightrope.run import CommandTarget, Process, Target, wait
from tightrope.run.command import CommandProcess
from tightrope.run.supervise.orphans import strays_of

_PATIENCE_S: Final = 30.0  # for a run to be gone once it has been told to stop


@dataclass(frozen=True, slots=True)
class Probe:
    """What was seen of one run.

    Attributes
    ----------
    trial, outcome
        What was run, and how it ended.
    solution : str or None
        The answer, if it is one that can be compared.
    elapsed_s : float
        Time that passed here from its start until it was gone.
    is_cut_off : bool
        Whether it was stopped because the time for it was up, below its cap.
    findings : tuple of Finding
        What the supervisor found.
    survivors : int
        Processes that carried the run's mark after it was over.
    command : str
        What to paste into a shell to see the same.
    """

    trial: Trial
    outcome: Outcome
    solution: str | None = None
    elapsed_s: float = 0.0
    is_cut_off: bool = False
    findings: tuple[Finding, ...] = ()
    survivors: int = 0
    command: str = ""

    @property
    def is_solved(self) -> bool:
        """Whether it finished, and its answer was understood."""
        return self.outcome.status is Status.DONE

    @property
    def is_failed(self) -> bool:
        """Whether it went wrong."""
        return self.outcome.status is Status.FAILED


class Prober:
    """Runs probes of a target, one after the other, until a number of seconds has passed in all."""

    def __init__(self, target: Target, within_s: float) -> None:
        self._target = target
        self._start_s = time.monotonic()
        self._within_s = within_s
        self._n_probes = 0

    @property
    def left_s(self) -> float:
        """How much time is left."""
        return self._within_s - (time.monotonic() - self._start_s)

    def run(self, config: Config, task: Task, *, cap: float, limit_s: float) -> Probe:
        """Run a trial; stop it when `limit_s`, or all the time there is, have passed."""
        trial = Trial(self._n_probes, config, cap, task)
        self._n_probes += 1
        start_s = time.monotonic()
        process = self._target.start(trial)
        try:
            outcome = _await(process, limit_s=max(0.0, min(limit_s, self.left_s)))
            is_cut_off = outcome is None
            if outcome is None:
                process.cancel()
                outcome = _await(process, limit_s=_PATIENCE_S)
            elapsed_s = time.monotonic() - start_s
            survivors = len(strays_of(process.mark)) if isinstance(process, CommandProcess) else 0
        finally:
            process.close()
        if outcome is None:  # the kernel holds on to it
            outcome = Outcome(trial.id, Status.LOST, float("inf"), elapsed_s, note="it could not be stopped")
        return Probe(
            trial,
            outcome,
            _solution(process, self._target),
            elapsed_s,
            is_cut_off=is_cut_off,
            findings=process.findings,
            survivors=survivors,
            command=paste(self._target, trial),
        )


def _await(process: Process, *, limit_s: float) -> Outcome | None:
    """Wait for the outcome; None if it has not come by then."""
    end_s = time.monotonic() + limit_s
    while (outcome := wait(process, timeout_s=max(0.0, end_s - time.monotonic()))) is None:
        if time.monotonic() >= end_s:
            return None
    return outcome


def _solution(process: Process, target: Target) -> str | None:
    if not isinstance(process, CommandProcess) or not isinstance(target, CommandTarget):
        return None
    ending = process.ending
    return None if ending is None else target.answer.read(ending).solution


def paste(target: Target, trial: Trial) -> str:
    """Return the command of a trial as one would type it here; nothing for a function."""
    if not isinstance(target, CommandTarget):
        return ""
    words = [f"{name}={shlex.quote(value)}" for name, value in target.env.items()]
    command = " ".join([*words, shlex.join(target.command_for(trial))])
    if target.cwd is None or os.path.realpath(target.cwd) == os.path.realpath(os.curdir):
        return command
    return f"cd {shlex.quote(target.cwd)} && {command}"
