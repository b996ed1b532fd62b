"""Queue: the engine of `validate`, a fixed list of runs in a fixed order."""

from collections import Counter, deque
from collections.abc import Iterator, Sequence

from tightrope.records import (
    Config,
    Decided,
    Decision,
    Event,
    Outcome,
    Start,
    Status,
    Stop,
    StopKind,
    StopReason,
    Task,
    Trial,
)

_Pair = tuple[Config, Task]


def tasks_of(instances: Sequence[str], seeds: Sequence[int] | None, repeat: int) -> list[Task]:
    """Return each instance with `repeat` seeds.

    Where there are fewer seeds than repeats, the same task comes several times.

    Examples
    --------
    >>> [task.seed for task in tasks_of(["a"], None, 3)], len(tasks_of(["a", "b"], (0,), 3))
    ([0, 1, 2], 6)
    """
    chosen = range(repeat) if seeds is None else [seeds[i % len(seeds)] for i in range(repeat)]
    return [Task(instance, seed) for instance in instances for seed in chosen]


class Queue:
    """Runs every config on every task, each up to the ceiling.

    Parameters
    ----------
    configs : sequence of Config
        What is compared. The first config changes from task to task, so that no config always finds a warm
        cache.
    tasks : sequence of Task
        A task that comes twice is run twice.
    ceiling : float
        The cap of every run.
    """

    def __init__(self, configs: Sequence[Config], tasks: Sequence[Task], *, ceiling: float) -> None:
        self._ceiling = ceiling
        self._pairs = list(_in_turn(configs, tasks))
        self._wanted = Counter(self._pairs)
        self._known: Counter[_Pair] = Counter()  # from a journal: done, or under way again
        self._left = deque(self._pairs)
        self._lost: deque[_Pair] = deque()
        self._running: dict[int, _Pair] = {}
        self._n_trials = 0

    @property
    def n_all(self) -> int:
        """Number of runs in all."""
        return len(self._pairs)

    @property
    def n_done(self) -> int:
        """Number of these runs that a journal held."""
        known = sum(min(n, self._wanted[pair]) for pair, n in self._known.items())
        return known - len(self._running) - len(self._lost)

    @property
    def n_running(self) -> int:
        """Number of trials under way."""
        return len(self._running)

    def wants(self, trial: Trial) -> bool:
        """Whether a trial belongs to this queue; a journal may hold others."""
        return (trial.config, trial.task) in self._wanted

    def adopt(self, what: Decision | Trial) -> None:
        """Replay a trial of a journal."""
        if isinstance(what, Decision):
            return
        self._n_trials = max(self._n_trials, what.id + 1)
        pair = what.config, what.task
        if pair not in self._wanted:
            return
        if pair in self._lost:
            self._lost.remove(pair)
        else:
            self._known[pair] += 1
        self._running[what.id] = pair

    def observe(self, outcome: Outcome) -> Sequence[Event]:
        """Queue a lost run again, at the end."""
        pair = self._running.pop(outcome.trial_id, None)
        if outcome.status is Status.LOST and pair is not None:
            self._lost.append(pair)
        return ()

    def spend_time(self, overhead_s: float) -> None:
        """Ignore how long a decision took."""

    def reason_to_stop(self, now_s: float) -> StopReason | None:
        """Return None: only the end of the queue stops it."""
        return None

    def decide(self, slots: int, now_s: float) -> Decided:
        """Start the next runs of the queue."""
        starts: list[Start] = []
        while len(starts) < slots and (pair := self._next()) is not None:
            trial = Trial(self._n_trials, pair[0], self._ceiling, pair[1])
            self._n_trials += 1
            self._running[trial.id] = pair
            starts.append(Start(trial))
        if not self._running:
            return Decided(None, (Stop(StopReason(StopKind.COMPLETE, f"all {self.n_all} runs are done")),))
        return Decided(None, tuple(starts))

    def _next(self) -> _Pair | None:
        while self._left:
            pair = self._left.popleft()
            if self._known[pair] == 0:
                return pair
            self._known[pair] -= 1
        return self._lost.popleft() if self._lost else None


def _in_turn(configs: Sequence[Config], tasks: Sequence[Task]) -> Iterator[_Pair]:
    for place, task in enumerate(tasks):
        for turn in range(len(configs)):
            yield configs[(turn + place) % len(configs)], task
