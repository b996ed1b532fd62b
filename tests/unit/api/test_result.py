"""Result and History: what was found, and how."""

import pickle

import numpy as np
import pytest

from tightrope import Optimizer, Result
from tightrope.errors import TargetError

SPACE = {"x": (0.0, 1.0)}


def make_optimizer(**settings: object) -> Optimizer:
    return Optimizer(SPACE, design="lhd", n_initial=8, **settings)


def tell(optimizer: Optimizer, *answers: dict[str, object]) -> Optimizer:
    for answer in answers:
        trial = optimizer.ask()
        assert trial is not None
        optimizer.tell(trial, **answer)
    return optimizer


def make_result(**settings: object) -> Result:
    optimizer = tell(
        make_optimizer(**settings),
        {"cost": 8.0},
        {"capped": True},
        {"cost": 0.0, "failed": True, "note": "OSError: disk full"},
        {"cost": 2.0},
    )
    return optimizer.result("it was enough")


def test_it_has_the_best_config_and_its_cost() -> None:
    result = make_result()
    assert result.best == result.history.runs[3].trial.config
    assert (result.cost, result.spent) == (2.0, 8.0 + 1.3 * 8.0 + 2.0)


def test_printed_it_is_a_summary() -> None:
    result = make_result()
    assert str(result) == (
        f"{result.best} costs 2. 4 runs of 4 configs (2 finished, 1 stopped at their caps, 1 failed) cost "
        "20.4 in all. Stopped because it was enough."
    )


def test_the_summary_admits_what_is_open() -> None:
    optimizer = make_optimizer()
    tell(optimizer, {"cost": 8.0})
    trial = optimizer.ask(most=3.0)
    assert trial is not None
    optimizer.tell(trial, capped=True)
    assert "1 config was stopped before that cost, and might be better." in str(optimizer.result())
    tell(optimizer, {"cost": 2.5})
    assert "might be better" not in str(optimizer.result())


def test_without_a_finished_run_there_is_none() -> None:
    optimizer = tell(Optimizer(SPACE), {"capped": True})
    with pytest.raises(TargetError, match="no evaluation finished"):
        optimizer.result()


def test_the_history_is_a_table() -> None:
    frame = make_result().history.to_frame()
    assert frame.columns.tolist() == ["trial", "x", "cap", "status", "cost", "spent", "note"]
    assert frame["status"].tolist() == ["done", "capped", "failed", "done"]
    np.testing.assert_array_equal(frame["cost"], [8.0, 1.3 * 8.0, np.nan, 2.0])
    assert frame["note"][2] == "OSError: disk full"


def test_parameters_that_are_called_like_a_column_are_not_lost() -> None:
    optimizer = Optimizer({"cost": (0.0, 1.0), "x": (0.0, 1.0)})
    optimizer.tell_run({"cost": 0.25, "x": 0.5}, 7.0)
    (row,) = optimizer.result().history.to_frame().to_dict("records")
    assert (row["config.cost"], row["x"], row["cost"]) == (0.25, 0.5, 7.0)


def test_the_trajectory_is_the_best_cost_after_each_run() -> None:
    spent, best = make_result().history.trajectory()
    assert best == [8.0, 8.0, 8.0, 2.0]
    assert spent == [8.0, 18.4, 18.4, 20.4]


def test_of_a_noisy_config_the_mean_counts() -> None:
    optimizer = make_optimizer(noisy=True)
    for cost in (1.0, 3.0):
        optimizer.tell_run({"x": 0.5}, cost)
    assert optimizer.result().cost == 2.0
    assert optimizer.result().history.trajectory()[1] == [1.0, 2.0]


def test_it_does_not_change_when_the_search_goes_on() -> None:
    optimizer = tell(make_optimizer(), {"cost": 8.0})
    result = optimizer.result()
    tell(optimizer, {"cost": 2.0})
    assert (result.cost, len(result.history)) == (8.0, 1)


def test_it_can_be_pickled() -> None:
    result = make_result()
    again = pickle.loads(pickle.dumps(result))
    assert (again.best, again.history) == (result.best, result.history)
