"""Idle time, also after a resume with another number of workers."""

from dataclasses import replace

import numpy as np
import pytest

from reported import tuned, with_statuses
from tightrope.records import Status
from tightrope.report.sections.idle import idle, most_at_once
from tightrope.report.sections.workers import workers
from tightrope.report.tuning import Tuning


@pytest.fixture(scope="module")
def some() -> Tuning:
    return with_statuses(tuned(), [Status.DONE] * 320)


def timed(tuning: Tuning, begins: list[float], *, slots: int, wall_s: float, each_s: float = 1.0) -> Tuning:
    """Return a tuning whose runs begin then, and take a second each."""
    columns = tuning.columns.take(slice(0, len(begins)))
    measures = {**columns.measures, "wall_s": np.full(len(begins), each_s)}
    history = tuning.history.of(replace(columns, measures=measures))
    return replace(tuning, history=history, began_s=np.array(begins), slots=slots, wall_s=wall_s)


def test_idle_time_is_what_runs_leave(some: Tuning) -> None:
    found = idle(timed(some, [2.0 * i for i in range(40)], slots=1, wall_s=80.0))
    assert found is not None
    assert found.share == pytest.approx(0.5)
    assert not found.is_estimate


def test_a_worker_that_never_works_is_idle(some: Tuning) -> None:
    one_of_two = [float(i) for i in range(5, 40)] + [float(i) for i in range(5)] * 2
    found = idle(timed(some, one_of_two, slots=2, wall_s=40.0))
    assert found is not None
    assert found.share == pytest.approx(1 - 45 / 80)


@pytest.mark.parametrize(("before", "after"), [(4, 2), (1, 4)])
def test_another_number_of_workers_before_a_resume_is_inferred(some: Tuning, before: int, after: int) -> None:
    begins = [float(i) for i in range(32) for _ in range(before if i < 16 else after)]
    tuning = timed(some, begins, slots=after, wall_s=32.0)
    assert most_at_once(tuning) == [before] * 8 + [after] * 8
    found = idle(tuning)
    assert found is not None
    assert found.share == pytest.approx(0.0, abs=1e-9)
    assert found.is_estimate


def test_every_run_has_a_lane_after_a_resume_with_fewer_workers(some: Tuning) -> None:
    begins = [float(i) for i in range(32) for _ in range(4 if i < 16 else 2)]
    figure = workers(timed(some, begins, slots=2, wall_s=32.0))
    assert figure is not None
    assert {row[3] for row in figure.table.rows} == {1, 2, 3, 4}
    assert [row[4] for row in figure.table.rows] == begins


def test_runs_that_seem_to_overlap_for_a_moment_need_no_further_worker(some: Tuning) -> None:
    tuning = timed(some, [0.999 * i for i in range(40)], slots=1, wall_s=40.0)
    assert max(most_at_once(tuning)) == 1


def test_without_times_nothing_is_known(some: Tuning) -> None:
    assert idle(timed(some, [0.0, 1.0], slots=1, wall_s=2.0, each_s=0.0)) is None
