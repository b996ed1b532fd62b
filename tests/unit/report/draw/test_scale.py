"""Scales and their ticks."""

import numpy as np
import pytest

from tightrope.report.draw.scale import Scale


def test_wide_positive_values_get_a_logarithmic_axis() -> None:
    assert Scale.of([1.0, 50.0]).is_log
    assert not Scale.of([1.0, 5.0]).is_log
    assert not Scale.of([0.0, 500.0]).is_log


@pytest.mark.parametrize("values", [[], [np.nan], [0.0], [3.0], [3.0, 3.0], [np.inf, 2.0], [-1.0, 1.0]])
def test_any_values_give_an_axis_with_ticks(values: list[float]) -> None:
    for is_log in (None, True):
        scale = Scale.of(values, is_log=is_log)
        assert scale.low < scale.high
        assert len(scale.ticks()) >= 2


@pytest.mark.parametrize(("low", "high"), [(0.9, 1.1), (1.0, 3.0), (1e-4, 1e5), (1e-9, 1e9), (7.0, 7.1)])
def test_logarithmic_ticks_lie_inside_and_are_few(low: float, high: float) -> None:
    ticks = [value for value, _ in Scale(low, high, is_log=True).ticks()]
    assert all(low <= value <= high for value in ticks)
    assert 2 <= len(ticks) <= 12


def test_places_stay_inside() -> None:
    assert Scale(1.0, 100.0, is_log=True).place([0.1, 10.0, 1e9]).tolist() == pytest.approx([0.0, 0.5, 1.0])
