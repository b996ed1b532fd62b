"""The engine of validate: a fixed list of runs, of which a journal may hold some."""

from math import inf

import pytest

from tightrope.compare.queue import Queue, tasks_of
from tightrope.records import Config, Outcome, Start, Status, StopKind, Task, Trial

SLOW, FAST, OTHER = (Config({"x": x}) for x in (1.0, 2.0, 3.0))
A, B = Task("a"), Task("b")


def queue_of(*configs: Config, tasks: tuple[Task, ...] = (A, B)) -> Queue:
    return Queue(configs, tasks, ceiling=60.0)


def replay(
    queue: Queue, number: int, config: Config, task: Task, status: Status | None = Status.DONE
) -> None:
    queue.adopt(Trial(number, config, 60.0, task))
    if status is not None:
        queue.observe(Outcome(number, status, 1.0 if status is Status.DONE else inf, 1.0))


def started(queue: Queue, slots: int = 99) -> list[Trial]:
    return [action.trial for action in queue.decide(slots, 0.0).actions if isinstance(action, Start)]


def test_tasks_have_one_seed_after_the_other() -> None:
    assert tasks_of(["a"], None, 2) == [Task("a", 0), Task("a", 1)]
    assert tasks_of(["a"], (7, 8), 3) == [Task("a", 7), Task("a", 8), Task("a", 7)]


def test_configs_take_turns_in_going_first() -> None:
    trials = started(queue_of(SLOW, FAST))
    assert [(trial.id, trial.config) for trial in trials] == [(0, SLOW), (1, FAST), (2, FAST), (3, SLOW)]
    assert {trial.cap for trial in trials} == {60.0}


def test_no_more_is_started_than_slots_are_free() -> None:
    queue = queue_of(SLOW, FAST)
    assert len(started(queue, 3)) == 3
    assert queue.n_running == 3
    assert len(started(queue, 3)) == 1


def test_only_missing_runs_are_started_and_pending_ones_count_as_running() -> None:
    queue = queue_of(SLOW, FAST)
    replay(queue, 0, SLOW, A)
    replay(queue, 1, FAST, A, status=None)
    assert (queue.n_done, queue.n_all, queue.n_running) == (1, 4, 1)
    assert [(trial.id, trial.config, trial.task) for trial in started(queue)] == [(2, FAST, B), (3, SLOW, B)]


def test_a_lost_run_is_started_again_at_the_end() -> None:
    queue = queue_of(SLOW)
    replay(queue, 0, SLOW, A, status=Status.LOST)
    assert queue.n_done == 0
    assert [(trial.id, trial.task) for trial in started(queue)] == [(1, B), (2, A)]


def test_a_lost_run_that_the_journal_holds_again_is_done() -> None:
    queue = queue_of(SLOW, tasks=(A,))
    replay(queue, 0, SLOW, A, status=Status.LOST)
    replay(queue, 1, SLOW, A)
    assert (queue.n_done, started(queue)) == (1, [])


@pytest.mark.parametrize(("n_there", "n_more"), [(0, 3), (1, 2), (3, 0), (5, 0)])
def test_repeats_in_the_journal_count(n_there: int, n_more: int) -> None:
    queue = queue_of(SLOW, tasks=tuple(tasks_of(["a"], (0,), 3)))
    for number in range(n_there):
        replay(queue, number, SLOW, A)
    assert len(started(queue)) == n_more


def test_runs_of_other_configs_in_the_journal_are_ignored() -> None:
    queue = queue_of(SLOW, tasks=(A,))
    replay(queue, 0, OTHER, A, status=None)
    replay(queue, 1, OTHER, A, status=Status.LOST)
    assert not queue.wants(Trial(0, OTHER, 60.0, A))
    assert (queue.n_running, queue.n_done) == (0, 0)
    assert [trial.id for trial in started(queue)] == [2]


def test_it_stops_when_all_runs_are_done() -> None:
    queue = queue_of(SLOW, tasks=(A,))
    (trial,) = started(queue)
    assert queue.decide(1, 0.0).stop is None
    queue.observe(Outcome(trial.id, Status.DONE, 1.0, 1.0))
    reason = queue.decide(1, 0.0).stop
    assert reason is not None
    assert (reason.kind, reason.is_final) == (StopKind.COMPLETE, True)
