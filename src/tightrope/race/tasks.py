"""The order of tasks: every instance comes once before any instance comes again."""

from collections.abc import Sequence
from math import inf

import numpy as np
from numpy.typing import NDArray

from tightrope.records import Task

_PURPOSE = 1  # of this module's random numbers


class TaskOrder:
    """A sequence of tasks in rounds; each round shuffles the instances and has its own seed.

    Parameters
    ----------
    instances : sequence of str
        Names; a single "" stands for a plain function.
    seeds : sequence of int or None
        Seeds of the rounds, and so their number; None: 0, 1, 2, ... without end.
    seed : int
        Seed of the shuffling.
    """

    def __init__(self, instances: Sequence[str], *, seeds: Sequence[int] | None, seed: int) -> None:
        self._instances = tuple(instances)
        self._seeds = None if seeds is None else tuple(seeds)
        self._seed = seed
        self._rounds: list[NDArray[np.int64]] = []
        self._tasks: list[Task] = []
        self._position: dict[Task, int] = {}

    @property
    def size(self) -> float:
        """How many tasks there are."""
        return inf if self._seeds is None else len(self._instances) * len(self._seeds)

    def task(self, i: int) -> Task:
        """Return the i-th task."""
        self._round(i // len(self._instances))
        return self._tasks[i]

    def instance(self, i: int) -> int:
        """Return the number of the i-th task's instance."""
        number, place = divmod(i, len(self._instances))
        return int(self._round(number)[place])

    def position(self, task: Task) -> int:
        """Return i such that `task(i)` is this one."""
        if task not in self._position and task.instance in self._instances and self._has(task.seed):
            self._round(task.seed if self._seeds is None else self._seeds.index(task.seed))
        if task not in self._position:
            raise KeyError(f"{task} is not a task of this scenario")
        return self._position[task]

    def _has(self, seed: int) -> bool:
        return seed >= 0 if self._seeds is None else seed in self._seeds

    def _round(self, number: int) -> NDArray[np.int64]:
        while len(self._rounds) <= number:
            k = len(self._rounds)
            shuffled = np.random.default_rng([self._seed, _PURPOSE, k]).permutation(len(self._instances))
            seed = k if self._seeds is None else self._seeds[k]
            self._rounds.append(shuffled)
            for instance in shuffled:
                task = Task(self._instances[instance], seed)
                self._position[task] = len(self._tasks)
                self._tasks.append(task)
        return self._rounds[number]
