"""What a validation runs, and what of it is still to be done."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from tightrope.records import Config, Run, Status, Task, Trial


def tasks_of(instances: Sequence[str], seeds: Sequence[int] | None, repeat: int) -> list[Task]:
    """Return the tasks of a validation: each instance with seed after seed, as often as told.

    Where there are fewer seeds than repeats, the same task comes several times.

    Examples
    --------
    >>> [task.seed for task in tasks_of(["a"], None, 3)], len(tasks_of(["a", "b"], (0,), 3))
    ([0, 1, 2], 6)
    """
    chosen = range(repeat) if seeds is None else [seeds[i % len(seeds)] for i in range(repeat)]
    return [Task(instance, seed) for instance in instances for seed in chosen]


def missing(
    configs: Sequence[Config],
    tasks: Sequence[Task],
    runs: Iterable[Run],
    pending: Iterable[Trial],
    *,
    ceiling: float,
) -> Iterator[Trial]:
    """Return the trials that are still to be run, task by task.

    Parameters
    ----------
    configs : sequence of Config
        What is compared; who comes first changes from task to task, so that nobody always has a warm cache.
    tasks : sequence of Task
        On what; a task that comes twice is run twice.
    runs : iterable of Run
        What has been done; what was lost counts for nothing.
    pending : iterable of Trial
        What was cut off: it is run again under its old number.
    ceiling : float
        Where they are stopped.
    """
    runs, pending = list(runs), list(pending)
    done = Counter(
        (run.trial.config, run.trial.task) for run in runs if run.outcome.status is not Status.LOST
    )
    cut_off: defaultdict[tuple[Config, Task], list[Trial]] = defaultdict(list)
    for trial in pending:
        cut_off[trial.config, trial.task].append(trial)
    number = 1 + max((trial.id for trial in [*(run.trial for run in runs), *pending]), default=-1)
    for place, task in enumerate(tasks):
        for turn in range(len(configs)):
            key = configs[(turn + place) % len(configs)], task
            if done[key] > 0:
                done[key] -= 1
            elif cut_off[key]:
                yield cut_off[key].pop(0)
            else:
                yield Trial(number, key[0], ceiling, task)
                number += 1
