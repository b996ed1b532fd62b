"""InProcess: calls a function right here, while its outcome is waited for."""

import time
from collections.abc import Sequence
from typing import Self

from tightrope.errors import ExecutorError, Finding
from tightrope.records import Outcome, Trial
from tightrope.run.function.call import Function
from tightrope.run.function.verdict import judge_answer
from tightrope.run.function.worker import Finished


class InProcess:
    """An executor with one slot and no process: nobody but the function itself can stop a trial.

    `wait` takes as long as the function does, whatever the timeout, and raises what stops it: a TargetError
    if the answer cannot be a cost, or a KeyboardInterrupt.
    """

    slots = 1

    def __init__(self, function: Function) -> None:
        self._function = function
        self._trial: Trial | None = None

    def start(self, trial: Trial) -> None:
        """Take a trial, to be run by `wait`."""
        if self._trial is not None:
            raise ExecutorError(f"trial {trial.id} finds the only slot taken")
        self._trial = trial

    def cancel(self, trial_id: int) -> None:
        """Refuse: by the time that anyone can ask, the trial is over."""
        raise ExecutorError(f"trial {trial_id} cannot be cancelled, as it runs in this very process")

    def wait(self, timeout_s: float | None = None) -> Sequence[Outcome]:
        """Run the trial, if there is one, and return its outcome."""
        if self._trial is None:
            return []
        trial, self._trial = self._trial, None
        start_s = self.clock()
        answer = self._function.evaluate(trial)
        outcome, _ = judge_answer(trial, Finished(answer, self.clock() - start_s), clock="cost")
        return [outcome]

    def findings(self) -> Sequence[Finding]:
        """Return none."""
        return ()

    def clock(self) -> float:
        """Return seconds since some moment."""
        return time.monotonic()

    def decided(self, number: int) -> None:
        """Do nothing: real time passes by itself."""

    def close(self) -> None:
        """Do nothing: nothing is under way."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
