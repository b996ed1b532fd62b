"""Recorded solvers as what tightrope runs."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from recording.program import Program

from tightrope.records import Trial
from tightrope.run import CommandTarget, Process, SatSolver


@dataclass(frozen=True)
class ProgramTarget:
    """A solver of formulas; a run costs its CPU seconds, and a wrong answer is a failure.

    Options are spelt as for the recording, by a function: no pattern of a `CommandTarget` joins several
    parameters to one option, as clasp wants it. So each trial has a command of its own.

    Parameters
    ----------
    program : Program
        The solver.
    paths : mapping from str to Path
        Instances' files by their names.
    answers : mapping from str to str
        What is true of each instance: SAT or UNSAT.
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
        """Do nothing: nothing is kept between runs."""
