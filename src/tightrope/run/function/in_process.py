"""InProcess: an executor that calls the function in this process, inside `wait`."""

from collections.abc import Sequence

from tightrope.errors import ExecutorError, Finding
from tightrope.records import Outcome, Trial
from tightrope.run.executor import Lifecycle, RealClock
from tightrope.run.function.call import Function
from tightrope.run.function.verdict import outcome_from_answer
from tightrope.run.function.worker import Finished


class InProcess(Lifecycle, RealClock):
    """An executor with one slot and no process: only the function itself can stop a trial.

    `wait` takes as long as the function does, whatever the timeout. It raises a TargetError if the answer is
    not a valid cost, and passes on a KeyboardInterrupt.
    """

    slots = 1

    def __init__(self, function: Function) -> None:
        self._function = function
        self._trial: Trial | None = None

    def start(self, trial: Trial) -> None:
        """Accept a trial; `wait` runs it."""
        if self._trial is not None:
            raise ExecutorError(f"trial {trial.id} cannot start: the only slot is taken")
        self._trial = trial

    def cancel(self, trial_id: int) -> None:
        """Raise: a call in this process is over before anything can cancel it."""
        raise ExecutorError(f"trial {trial_id} cannot be cancelled: it runs in this process")

    def wait(self, timeout_s: float | None = None) -> Sequence[Outcome]:
        """Run the trial, if there is one, and return its outcome."""
        if self._trial is None:
            return []
        trial, self._trial = self._trial, None
        start_s = self.clock()
        answer = self._function.evaluate(trial)
        outcome, _ = outcome_from_answer(trial, Finished(answer, self.clock() - start_s), clock="cost")
        return [outcome]

    def findings(self) -> Sequence[Finding]:
        """Return none."""
        return ()

    def _shut_down(self) -> None:
        """Do nothing: no trial runs outside `wait`."""
