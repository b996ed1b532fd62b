"""Share solved over cost."""

import numpy as np
import pytest

from reported import tuned
from tightrope.report.sections.survival import kaplan_meier, survival


def test_without_cut_runs_it_is_the_share_of_runs() -> None:
    costs, share = kaplan_meier(np.array([3.0, 1.0, 2.0]), np.array([True, True, True]))
    assert costs.tolist() == [1.0, 2.0, 3.0]
    assert share.tolist() == pytest.approx([1 / 3, 2 / 3, 1.0])


def test_a_cut_run_counts_as_long_as_it_ran() -> None:
    """By hand: 6 runs; at 2 one of 6 finishes, at 5 one of the 4 that are left after a cut at 3."""
    costs = np.array([2.0, 3.0, 5.0, 6.0, 7.0, 8.0])
    exact = np.array([True, False, True, False, False, False])
    at, share = kaplan_meier(costs, exact)
    assert at.tolist() == [2.0, 5.0]
    assert share.tolist() == pytest.approx([1 - 5 / 6, 1 - 5 / 6 * 3 / 4])


def test_a_run_that_never_finishes_keeps_the_line_below_one() -> None:
    _, share = kaplan_meier(np.array([1.0, np.inf]), np.array([True, False]))
    assert share.tolist() == [0.5]


def test_default_and_best_are_drawn() -> None:
    tuning = tuned()
    (figure,) = survival(tuning)
    assert {row[1] for row in figure.table.rows} == {0, tuning.progress.number}
