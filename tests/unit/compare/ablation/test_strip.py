"""Strip: groups of changes are taken back as long as the gain is kept."""

import pytest

from ablations import Cost, all_on, board_of, is_on, measure, run, switches
from tightrope.compare.ablation.strip import Strip
from tightrope.records import Config, Task

NAMES = "abcdefghijklmnop"


def strip(cost: Cost, *, heavy: str = "", names: str = NAMES) -> tuple[str, list[str]]:
    """Return what is kept, and the sets that were tried; the model holds the heavy ones for important."""
    changes = all_on(switches(names), names)
    board = board_of(changes)
    measure(board, [changes.best, changes.default], cost)
    found = Strip(changes, board)
    tried = []
    while found.has_changed:
        found.begin_round({n: 1.0 if names[n] in heavy else 0.01 for n in found.kept})
        while (contest := found.contest()) is not None:
            tried.append(is_on(contest.config))
            while not contest.is_over(board):
                run(board, next(contest.needs(board)), cost)
    kept = changes.config(found.kept)
    assert kept is not None
    return is_on(kept), tried


def needs(*wanted: str) -> Cost:
    """Return a cost that doubles for each group of which no member is on."""

    def cost(config: Config, task: Task) -> float:
        return 10.0 * 2.0 ** sum(not any(config[name] == "on" for name in group) for group in wanted)

    return cost


def test_a_good_model_needs_a_contest_for_the_rest_and_one_for_each_that_matters() -> None:
    kept, tried = strip(needs("b", "k"), heavy="bk")
    assert kept == "bk"
    assert tried == ["bk", "k", "b"]


def test_a_misled_model_costs_contests_and_not_the_result() -> None:
    kept, tried = strip(needs("b", "k"), heavy="pn")
    assert kept == "bk"
    assert len(tried) < 2 * len(NAMES)


def test_of_two_changes_that_do_the_same_the_one_that_the_model_prefers_is_kept() -> None:
    assert strip(needs("cf"), heavy="f")[0] == "f"
    assert strip(needs("cf"), heavy="c")[0] == "c"


def test_a_change_that_only_helps_together_with_another_is_kept() -> None:
    def cost(config: Config, task: Task) -> float:
        return 10.0 if config["a"] == config["b"] == "on" else 40.0

    assert strip(cost)[0] == "ab"


def test_changes_that_hurt_are_taken_back() -> None:
    def cost(config: Config, task: Task) -> float:
        return (40.0 if config["a"] == "off" else 10.0) * (1.3 if config["c"] == "on" else 1.0)

    assert strip(cost, heavy="c")[0] == "a"


def test_a_small_loss_is_allowed_and_a_larger_one_is_not() -> None:
    def cost(factor: float) -> Cost:
        return lambda config, task: (
            10.0 * (1.0 if config["a"] == "on" else factor) * (1.0 if config["b"] == "on" else 3.0)
        )

    assert strip(cost(1.015), names="ab")[0] == "b"
    assert strip(cost(1.05), names="ab")[0] == "ab"


def test_without_a_gain_nothing_is_kept() -> None:
    assert strip(lambda config, task: 7.0) == ("", [])


@pytest.mark.parametrize("n", [1, 2])
def test_few_changes_are_no_special_case(n: int) -> None:
    assert strip(needs("a"), names=NAMES[:n])[0] == "a"
