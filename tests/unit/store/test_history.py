"""History: runs as arrays, filters, sums and tables."""

import pickle
import time
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from journals import outcome, run, trial, write
from tightrope.records import Config, Outcome, Run, Status, Task, Trial
from tightrope.store import History, Journal

A, B = Config({"x": 1.0, "kind": "a"}), Config({"x": 2.0})
EASY, HARD = Task("easy.cnf", 1), Task("hard.cnf", 1)


def ended(
    number: int, config: Config, status: Status, cost: float, *, task: Task = EASY, spent: float | None = None
) -> Run:
    charged = cost if spent is None else spent
    return Run(Trial(number, config, 9.0, task), Outcome(number, status, cost, charged))


@pytest.fixture
def history() -> History:
    return History(
        [
            ended(0, A, Status.DONE, 4.0),
            ended(1, B, Status.CAPPED, 5.0),
            ended(2, A, Status.CAPPED, 8.0, task=HARD),
            ended(3, B, Status.FAILED, 9.0, task=HARD),
            ended(4, A, Status.LOST, 0.0, task=HARD, spent=2.0),
            ended(5, B, Status.DONE, 1.0),
            ended(6, B, Status.CAPPED, 3.0, task=HARD),
        ]
    )


def test_runs_come_back_as_they_were_given() -> None:
    runs = [run(i) for i in range(20)]
    assert list(History(runs).runs) == runs


def test_runs_are_a_sequence() -> None:
    runs = [run(i) for i in range(5)]
    kept = History(iter(runs)).runs
    assert len(kept) == 5
    assert (kept[0], kept[-1]) == (runs[0], runs[4])
    assert kept[1:4:2] == runs[1:4:2]
    assert runs[3] in kept
    assert kept == tuple(runs)
    assert kept != runs[1:]
    with pytest.raises(IndexError, match="5 runs"):
        kept[5]
    with pytest.raises(IndexError, match="5 runs"):
        kept[-6]


def test_values_of_runs_are_pythons_own(history: History) -> None:
    first = history[0]
    values = (first.trial.id, first.trial.cap, first.outcome.cost, first.outcome.spent, first.outcome.note)
    assert [type(value) for value in values] == [int, float, float, float, str]


def test_a_slice_is_a_history(history: History) -> None:
    assert isinstance(history[2:], History)
    assert [run.trial.id for run in history[2:]] == [2, 3, 4, 5, 6]


def test_histories_of_equal_runs_are_equal(history: History) -> None:
    assert history == History(list(history))
    assert history != history[1:]


def test_a_history_survives_pickling(history: History) -> None:
    assert pickle.loads(pickle.dumps(history)) == history


def test_an_empty_history_has_everything() -> None:
    empty = History()
    assert len(empty) == 0
    assert len(empty.by_config()) == len(empty.by_task()) == len(empty.to_frame()) == 0
    assert empty.trajectory() == ([], [])


def test_filter_by_config(history: History) -> None:
    assert [run.trial.id for run in history.filter(config=A)] == [0, 2, 4]
    assert [run.trial.id for run in history.filter(config={"kind": "a", "x": 1.0})] == [0, 2, 4]


def test_filter_by_what_was_never_run_is_empty(history: History) -> None:
    assert len(history.filter(config={"x": 3.0})) == 0
    assert len(history.filter(instance="absent.cnf")) == 0


def test_filter_by_task_and_instance(history: History) -> None:
    assert [run.trial.id for run in history.filter(task=HARD)] == [2, 3, 4, 6]
    assert [run.trial.id for run in history.filter(instance="easy.cnf")] == [0, 1, 5]


def test_filter_by_status(history: History) -> None:
    assert [run.trial.id for run in history.filter(status=Status.CAPPED)] == [1, 2, 6]
    assert [run.trial.id for run in history.filter(status=[Status.FAILED, Status.LOST])] == [3, 4]


def test_filters_are_joined(history: History) -> None:
    assert [run.trial.id for run in history.filter(config=B, task=HARD, status=Status.CAPPED)] == [6]


def test_filter_by_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Journal.create(tmp_path / "run.journal") as journal:
        for i in range(3):
            monkeypatch.setattr(time, "time", lambda i=i: 1000.0 + i)
            write(journal, [i])
        found = journal.history()
    assert [run.trial.id for run in found.filter(since=1001)] == [1, 2]
    assert [run.trial.id for run in found.filter(since=datetime.fromtimestamp(1002, UTC))] == [2]


def test_filter_by_time_needs_a_journal(history: History) -> None:
    with pytest.raises(ValueError, match="only the history of a journal has it"):
        history.filter(since=0)


def test_sums_for_each_config(history: History) -> None:
    summary = history.by_config()
    assert list(summary.keys) == [A, B]
    counts = (summary.n_runs, summary.n_done, summary.n_capped, summary.n_failed, summary.n_lost)
    assert [count.tolist() for count in counts] == [[3, 4], [1, 1], [1, 2], [0, 1], [1, 0]]
    assert summary.mean_cost.tolist() == [4.0, 1.0]
    assert summary.at_least.tolist() == [6.0, 3.0]
    assert summary.largest_bound.tolist() == [8.0, 5.0]
    assert summary.spent.tolist() == [14.0, 18.0]


def test_sums_for_each_task(history: History) -> None:
    summary = history.by_task()
    assert list(summary.keys) == [EASY, HARD]
    assert summary.n_runs.tolist() == [3, 4]
    np.testing.assert_array_equal(summary.mean_cost, [2.5, np.nan])
    np.testing.assert_array_equal(summary.at_least, [10 / 3, 5.5])


def test_sums_leave_out_what_a_filter_took_away(history: History) -> None:
    summary = history.filter(config=A, status=Status.DONE).by_config()
    assert list(summary.keys) == [A]
    assert np.isnan(summary.largest_bound).all()


def test_sums_are_a_table(history: History) -> None:
    frame = history.by_config().to_frame()
    assert frame["key"].tolist() == [A, B]
    assert frame["n_capped"].tolist() == [1, 2]


def test_trajectory_adds_up_all_runs_and_knows_finished_ones(history: History) -> None:
    spent, best = history.filter(task=EASY).trajectory()
    assert spent == [4.0, 9.0, 10.0]
    assert best == [4.0, 4.0, 1.0]


def test_in_a_trajectory_a_config_that_finished_twice_counts_with_its_mean() -> None:
    costs = [(A, 6.0), (B, 2.0), (B, 8.0), (A, 2.0)]
    history = History([ended(i, config, Status.DONE, cost) for i, (config, cost) in enumerate(costs)])
    assert history.trajectory()[1] == [6.0, 2.0, 5.0, 4.0]


def test_before_a_run_finishes_the_best_cost_is_infinite(history: History) -> None:
    _, best = history[1:2].trajectory()
    assert best == [np.inf]


def test_costs_on_different_tasks_have_no_trajectory(history: History) -> None:
    with pytest.raises(ValueError, match="2 tasks"):
        history.trajectory()


def test_the_frame_has_a_row_for_each_run(history: History) -> None:
    frame = history.to_frame()
    names = ["trial", "x", "kind", "instance", "seed", "cap", "status", "cost", "spent", "note"]
    assert frame.columns.tolist() == names
    assert frame["trial"].tolist() == list(range(7))
    assert frame["x"].tolist() == [1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 2.0]
    assert frame["status"].tolist()[:3] == ["done", "capped", "capped"]
    assert frame["instance"].tolist()[:3] == ["easy.cnf", "easy.cnf", "hard.cnf"]


def test_the_cost_of_failed_and_lost_runs_is_missing_in_the_frame(history: History) -> None:
    np.testing.assert_array_equal(history.to_frame()["cost"], [4.0, 5.0, 8.0, np.nan, np.nan, 1.0, 3.0])


def test_the_frame_of_a_plain_function_has_no_tasks() -> None:
    frame = History([ended(0, B, Status.DONE, 2.0, task=Task())]).to_frame()
    assert frame.columns.tolist() == ["trial", "x", "cap", "status", "cost", "spent", "note"]


def test_the_frame_has_the_times_that_were_measured() -> None:
    frame = History([run(0), run(1)]).to_frame()
    assert frame["wall_s"].tolist() == [run(0).outcome.wall_s, run(1).outcome.wall_s]
    assert frame["cpu_s"].tolist() == [1.0, 2.0]


def test_the_frame_leaves_out_inactive_parameters(history: History) -> None:
    frame = history.to_frame()
    assert frame["kind"].isna().tolist() == [False, True, False, True, False, True, True]


def test_a_parameter_called_cost_hides_nothing() -> None:
    history = History([ended(0, Config({"cost": 7, "x": 1}), Status.DONE, 2.0)])
    frame = history.to_frame()
    assert frame["cost"].tolist() == [2.0]
    assert frame["config.cost"].tolist() == [7]


def test_a_journals_history_equals_that_of_its_runs(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "run.journal") as journal:
        write(journal, range(50))
        found = journal.history()
    expected = History(Run(trial(i), outcome(i)) for i in range(50))
    assert found == expected
    assert found.to_frame().equals(expected.to_frame())
    assert found.by_config().to_frame().equals(expected.by_config().to_frame())


def test_the_table_has_the_configs_of_most_tasks_first_and_then_the_cheapest() -> None:
    """Configs 0 and 2 were run on two tasks; config 1 was dropped after one, though it was cheap there."""
    costs = [(0, "a", 5.0), (0, "b", 7.0), (1, "a", 1.0), (2, "a", 3.0), (2, "b", 4.0)]
    runs = [
        Run(Trial(i, Config({"x": x, "n_runs": 9}), 9.0, Task(name)), Outcome(i, Status.DONE, cost, cost))
        for i, (x, name, cost) in enumerate(costs)
    ]
    table = History(runs).table()
    assert table["x"].tolist() == [2, 0, 1]
    assert table["mean_cost"].tolist() == [3.5, 6.0, 1.0]
    assert table["n_tasks"].tolist() == [2, 2, 1]
    assert table["config.n_runs"].tolist() == [9, 9, 9]
    assert len(History(runs).table(2)) == 2
