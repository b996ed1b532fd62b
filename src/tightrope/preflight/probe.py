"""Prober: runs the target a few times, within a time limit, and observes each run closely."""

import os
import shlex
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tightrope.errors import Finding
from tightrope.records import Config, Outcome, Status, Task, Trial
from tightrope.run import CommandTarget, Process, Target, wait
from tightrope.run.command import CommandProcess
from tightrope.run.supervise.orphans import marked_processes

_PATIENCE_S: Final = 30.0  # for a cancelled run to end


@dataclass(frozen=True, slots=True)
class Probe:
    """The observations of one run.

    Attributes
    ----------
    trial, outcome
        What was run, and its outcome.
    solution : str or None
        The solution, if the answer contains one.
    elapsed_s : float
        Time from its start until it was gone, measured here.
    is_cut_off : bool
        Whether it was stopped by the time limit of the check, below its cap.
    findings : tuple of Finding
        Findings of the supervisor.
    survivors : int
        Processes with the run's mark that were still alive after it.
    command : str
        The command to paste into a shell.
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
        """Whether it finished with a valid answer."""
        return self.outcome.status is Status.DONE

    @property
    def is_failed(self) -> bool:
        """Whether it failed."""
        return self.outcome.status is Status.FAILED


Watch = Callable[[Trial, Probe | None], object]


class Prober:
    """Runs probes of a target one after the other, within `within_s` seconds in total.

    `watch` is called with each trial when it starts, and with its probe when it has ended.
    """

    def __init__(self, target: Target, within_s: float, *, watch: Watch | None = None) -> None:
        self._target, self._watch = target, watch
        self._start_s = time.monotonic()
        self._within_s = within_s
        self._n_probes = 0

    @property
    def left_s(self) -> float:
        """The time left, in seconds."""
        return self._within_s - (time.monotonic() - self._start_s)

    def run(self, config: Config, task: Task, *, cap: float, limit_s: float) -> Probe:
        """Run a trial; stop it after `limit_s`, or when the total time is used up."""
        trial = Trial(self._n_probes, config, cap, task)
        self._n_probes += 1
        if self._watch is not None:
            self._watch(trial, None)
        start_s = time.monotonic()
        process = self._target.start(trial)
        try:
            outcome = _await(process, limit_s=max(0.0, min(limit_s, self.left_s)))
            is_cut_off = outcome is None
            if outcome is None:
                process.cancel()
                outcome = _await(process, limit_s=_PATIENCE_S)
            elapsed_s = time.monotonic() - start_s
            survivors = len(marked_processes(process.mark)) if isinstance(process, CommandProcess) else 0
        finally:
            process.close()
        if outcome is None:  # it hangs in the kernel
            outcome = Outcome(trial.id, Status.LOST, float("inf"), elapsed_s, note="it could not be stopped")
        probe = Probe(
            trial,
            outcome,
            _solution(process, self._target),
            elapsed_s,
            is_cut_off=is_cut_off,
            findings=process.findings,
            survivors=survivors,
            command=command_to_paste(self._target, trial),
        )
        if self._watch is not None:
            self._watch(trial, probe)
        return probe


def _await(process: Process, *, limit_s: float) -> Outcome | None:
    """Wait for the outcome; None after `limit_s` seconds."""
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


def command_to_paste(target: Target, trial: Trial) -> str:
    """Return the command of a trial for a shell in this folder; empty for a function."""
    if not isinstance(target, CommandTarget):
        return ""
    words = [f'{name}="${name}"' for name in target.env]  # the values may be secrets
    command = " ".join([*words, shlex.join(target.command_for(trial))])
    if target.cwd is None or os.path.realpath(target.cwd) == os.path.realpath(os.curdir):
        return command
    return f"cd {shlex.quote(target.cwd)} && {command}"
