"""Path: at each step the change that lowers the cost most."""

from ablations import TASKS, Cost, all_on, board_of, is_on, measure, run, switches
from tightrope.compare.ablation.path import Path
from tightrope.records import Config, Task

NAMES = "abcd"
SAVES = {"a": 5.0, "b": 40.0, "c": 20.0, "d": 10.0}


def additive(config: Config, task: Task) -> float:
    return 100.0 - sum(saved for name, saved in SAVES.items() if config[name] == "on")


def walk(cost: Cost, *, order: str = NAMES) -> tuple[str, int]:
    """Return the order of the changes, and how many runs it took; the model prefers them in an order."""
    changes = all_on(switches(NAMES), NAMES)
    board = board_of(changes)
    measure(board, [changes.best, changes.default], cost)
    board.estimate_noise()
    path, n_runs = Path(changes, changes.all), 0
    while True:
        while not path.advance(board):
            run(board, next(path.needs(board)), cost)
            n_runs += 1
        if not path.candidates:
            break
        path.begin_step(sorted(path.candidates, key=lambda each: order.index(NAMES[min(each)])))
    return "".join(NAMES[min(step)] for step in path.steps), n_runs


def test_the_largest_gain_comes_first_whatever_the_model_says() -> None:
    assert walk(additive, order="bcda")[0] == "bcda"
    assert walk(additive, order="adcb")[0] == "bcda"


def test_losers_are_dropped_early() -> None:
    def steep(config: Config, task: Task) -> float:
        n_on = len(is_on(config))
        return 10.0 * 3.0 ** (len(NAMES) - n_on) * (1.0 if "a" in is_on(config) else 20.0)

    found, n_runs = walk(steep, order="abcd")
    assert found.startswith("a")
    assert n_runs < 9 * len(TASKS)  # all candidates of all steps on all tasks


def test_a_step_that_helps_only_after_another_comes_after_it() -> None:
    def cost(config: Config, task: Task) -> float:
        on = is_on(config)
        return 100.0 - 30.0 * ("c" in on) - 50.0 * ("c" in on and "a" in on) - ("b" in on) - 2.0 * ("d" in on)

    assert walk(cost)[0] == "cadb"
