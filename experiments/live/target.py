"""Recorded solvers as a target of tightrope."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from lib.recording.program import Program

from tightrope.records import Trial
from tightrope.run import CommandTarget, Process, SatSolver


@dataclass(frozen=True)
class ProgramTarget:
    """A SAT solver; the cost of a run is its CPU time, and a wrong answer is a failure.

    A function writes the options, as for the recording: no pattern of a `CommandTarget` joins several
    parameters into one option, as clasp needs it. So each trial has its own command.

    Parameters
    ----------
    program : Program
        The solver.
    paths : mapping from str to Path
        Files of the instances by name.
    answers : mapping from str to str
        The correct answer of each instance: SAT or UNSAT.
    """

    program: Program
    paths: Mapping[str, Path]
    answers: Mapping[str, str]

    def start(self, trial: Trial, *, cores: Collection[int] = ()) -> Process:
        """Start a trial and return at once."""
        instance = str(self.paths[trial.task.instance])
        words = [self.program.path, *self.program.options(trial.config), instance]
        literal = [word.replace("{", "{{").replace("}", "}}") for word in words]
        command = CommandTarget(literal, answer=SatSolver(), expected=self.answers)
        return command.start(trial, cores=cores)

    def close(self) -> None:
        """Do nothing: the target keeps no state between runs."""
