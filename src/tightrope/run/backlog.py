"""Backlog: trials that this machine could not start yet, and when to try again; has no clock of its own."""

from collections import deque
from collections.abc import Sequence
from math import inf

from tightrope.errors import Finding, Severity
from tightrope.records import Outcome, Status, Trial
from tightrope.run.start_error import StartError

FIRST_DELAY_S, LONGEST_DELAY_S = 0.05, 2.0
MOST_ATTEMPTS = 10  # in a row, with nothing running that could release what is missing


class Backlog:
    """Trials to start later, because descriptors, processes, memory or a folder were missing.

    After each attempt that fails the delay doubles. Attempts count only while nothing runs: as long as runs
    end, they release what others need. After ten in a row the trials are given up as LOST.
    """

    def __init__(self) -> None:
        self._trials: deque[Trial] = deque()
        self._n_failed = 0
        self._delay_s = FIRST_DELAY_S
        self._due_s = -inf
        self._error: StartError | None = None
        self._has_warned = False

    def __len__(self) -> int:
        return len(self._trials)

    @property
    def trial_ids(self) -> list[int]:
        """The trials that wait."""
        return [trial.id for trial in self._trials]

    @property
    def due_s(self) -> float:
        """When to try again; inf if no trial waits."""
        return self._due_s if self._trials else inf

    @property
    def is_hopeless(self) -> bool:
        """Whether too many attempts in a row have failed."""
        return self._n_failed >= MOST_ATTEMPTS

    def append(self, trial: Trial) -> None:
        """Add a trial that was not tried, because others wait already."""
        self._trials.append(trial)

    def next(self) -> Trial:
        """Remove and return the trial to start next."""
        return self._trials.popleft()

    def failed(self, trial: Trial, error: StartError, *, now_s: float, n_running: int) -> Sequence[Finding]:
        """Note a failed attempt and add its trial in front; return a warning the first time others run."""
        self._trials.appendleft(trial)
        self._error = error
        self._due_s = now_s + self._delay_s
        self._delay_s = min(2 * self._delay_s, LONGEST_DELAY_S)
        if n_running == 0:
            self._n_failed += 1
            return ()
        if self._has_warned:
            return ()
        self._has_warned = True
        message = f"with {n_running} runs under way, this machine could not start another: {error.problem}"
        return (Finding("T05", Severity.WARNING, f"trial {trial.id}", message, error.hint),)

    def started(self) -> None:
        """Note that a run was started and has ended: it released what the next attempt may need."""
        self._n_failed = 0
        self._delay_s = FIRST_DELAY_S
        self._due_s = -inf

    def cancel(self, trial_id: int) -> Outcome:
        """Remove a trial and return its outcome."""
        self._trials = deque(trial for trial in self._trials if trial.id != trial_id)
        return _lost(trial_id, "cancelled before it could be started")

    def give_up(self) -> tuple[list[Outcome], Finding]:
        """Remove all trials; return their outcomes, and the error that ends a tuning."""
        assert self._error is not None
        cause = f"{self._n_failed} attempts in a row to start a run failed: {self._error.problem}"
        outcomes = [_lost(trial.id, cause) for trial in self._trials]
        finding = Finding("T05", Severity.ERROR, f"trial {outcomes[0].trial_id}", cause, self._error.hint)
        self._trials.clear()
        self.started()
        return outcomes, finding


def _lost(trial_id: int, note: str) -> Outcome:
    return Outcome(trial_id, Status.LOST, inf, 0.0, note=note)
