"""Contests: capped by what the other config needed, lost as soon as that is clear."""

import pytest

from ablations import TASKS, all_on, board_of, measure, run, switches
from tightrope.compare.ablation.board import Board, Contest
from tightrope.compare.ablation.changes import Changes
from tightrope.records import Config, Task


def unequal(config: Config, task: Task) -> float:
    """Tasks cost 1, 2, ..., 8; a config without `a` costs five times as much."""
    return (TASKS.index(task) + 1.0) * (1.0 if config["a"] == "on" else 5.0)


@pytest.fixture
def changes() -> Changes:
    return all_on(switches("ab"), "ab")


@pytest.fixture
def board(changes: Changes) -> Board:
    board = board_of(changes)
    measure(board, [changes.best], unequal)
    return board


def config_of(changes: Changes, names: str) -> Config:
    return Config({name: "on" if name in names else "off" for name in "ab"})


def test_an_equal_config_wins_after_all_tasks(changes: Changes, board: Board) -> None:
    contest = Contest(config_of(changes, "a"), changes.best, limit=1.02, z=2.0)
    while not contest.is_over(board):
        run(board, next(contest.needs(board)), unequal)
    assert board.is_measured(contest.config)
    assert not contest.is_lost(board)


def test_a_bad_config_is_dropped_long_before_the_end(changes: Changes, board: Board) -> None:
    board.estimate_noise()
    contest = Contest(config_of(changes, "b"), changes.best, limit=1.02, z=2.0)
    caps = []
    while not contest.is_over(board):
        need = next(contest.needs(board))
        caps.append(need.cap)
        run(board, need, unequal)
    assert contest.is_lost(board)
    assert len(caps) <= 4
    assert sum(caps) < 0.5 * 5 * sum(range(1, 9))


def test_the_last_cap_is_what_is_left_of_the_sum(changes: Changes, board: Board) -> None:
    contest = Contest(config_of(changes, "a"), changes.best, limit=1.5, z=2.0)
    for _ in TASKS[:-1]:
        run(board, next(contest.needs(board)), unequal)
    assert next(contest.needs(board)).cap == pytest.approx(1.5 * 36 - 28)


def test_no_cap_is_above_the_ceiling(changes: Changes) -> None:
    board = board_of(changes, ceiling=9.0)
    measure(board, [changes.best], unequal)
    contest = Contest(config_of(changes, "a"), changes.best, limit=99.0, z=2.0)
    assert {need.cap for need in contest.needs(board)} == {9.0}


def test_a_bound_below_the_cap_is_run_again_with_more(changes: Changes, board: Board) -> None:
    contest = Contest(config_of(changes, "a"), changes.best, limit=1.02, z=2.0)
    first = next(contest.needs(board))
    run(board, type(first)(first.config, first.task, 0.5), unequal)
    again = next(contest.needs(board))
    assert again.task == first.task
    assert again.cap >= first.cap * 0.999
