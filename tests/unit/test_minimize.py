"""minimize(): the black-box door."""

from collections.abc import Iterator
from math import inf

import pytest

from tightrope import Budget, Capped, minimize
from tightrope.errors import TargetError

SPACE = {"x": (0.0, 1.0)}
SETTINGS = {"first_cap": 1.0}


def cost_of(config: dict[str, float]) -> float:
    return 1.0 + 50.0 * (config["x"] - 0.3) ** 2


def watching(config: dict[str, float], cap: float) -> float | Capped:
    cost = cost_of(config)
    return cost if cost < cap else Capped(at=cap)


def yielding(config: dict[str, float], cap: float) -> Iterator[float]:
    total = cost_of(config)
    spent = 0.0
    while spent + 0.25 < total:
        spent += 0.25
        yield spent
    yield total


def test_it_finds_the_minimum() -> None:
    result = minimize(watching, SPACE, budget=80, **SETTINGS)
    assert result.best["x"] == pytest.approx(0.3, abs=0.05)
    assert result.cost == pytest.approx(1.0, abs=0.1)


def test_the_budget_is_a_cumulative_cost_and_is_kept() -> None:
    result = minimize(watching, SPACE, budget=30, **SETTINGS)
    assert result.spent == pytest.approx(30.0)
    assert result.spent == pytest.approx(sum(run.outcome.spent for run in result.history.runs))
    assert "30" in result.reason


def test_restarts_count_as_one_evaluation() -> None:
    result = minimize(watching, SPACE, budget=Budget(evaluations=12), **{**SETTINGS, "first_cap": 0.01})
    configs = {run.trial.config for run in result.history.runs}
    assert len(configs) == 12
    assert len(result.history) > 12


def test_time_ends_it_too() -> None:
    result = minimize(watching, SPACE, budget=Budget(wall=0.2), **SETTINGS)
    assert "passed" in result.reason


def test_partial_costs_are_stopped_at_the_cap() -> None:
    result = minimize(yielding, SPACE, budget=60, **SETTINGS)
    capped = [run for run in result.history.runs if run.censored]
    assert capped
    assert all(run.trial.cap <= run.outcome.cost < run.trial.cap + 0.25 for run in capped)
    assert result.cost == pytest.approx(1.0, abs=0.2)


def test_a_function_that_ignores_its_cap_is_charged_in_full_and_told_once() -> None:
    with pytest.warns(UserWarning, match="watch the cap") as caught:
        result = minimize(lambda config, cap: cost_of(config), SPACE, budget=60, **SETTINGS)
    assert len(caught) == 1
    assert all(run.done for run in result.history.runs)


def test_a_function_without_a_cap_is_accepted() -> None:
    result = minimize(cost_of, SPACE, budget=Budget(evaluations=8), slack=inf, **SETTINGS)
    assert len(result.history) == 8


def test_a_failure_is_shown_once_and_the_search_goes_on() -> None:
    def sometimes(config: dict[str, float], cap: float) -> float | Capped:
        if config["x"] > 0.6:
            raise RuntimeError("too hot")
        return watching(config, cap)

    with pytest.warns(UserWarning, match="too hot") as caught:
        result = minimize(sometimes, SPACE, budget=60, **SETTINGS)
    assert len(caught) == 1
    assert any(run.outcome.note == "RuntimeError: too hot" for run in result.history.runs)
    assert result.best["x"] < 0.6


def test_if_everything_fails_the_first_traceback_is_in_the_error() -> None:
    def broken(config: dict[str, float], cap: float) -> float:
        raise RuntimeError("no licence")

    with pytest.warns(UserWarning, match="failed"), pytest.raises(TargetError, match="no licence"):
        minimize(broken, SPACE, budget=60, **SETTINGS)


def test_a_cost_of_none_names_the_config() -> None:
    with pytest.raises(ValueError, match="'x'"):
        minimize(lambda config, cap: None, SPACE, budget=60, **SETTINGS)


def test_the_history_is_a_table() -> None:
    result = minimize(watching, SPACE, budget=30, **SETTINGS)
    frame = result.history.to_frame()
    assert len(frame) == len(result.history)
    assert {"x", "cap", "status", "cost", "spent"} <= set(frame.columns)


@pytest.mark.parametrize(
    "limits", [{}, {"cost": 0}, {"cost": float("nan")}, {"wall": "ten minutes"}, {"evaluations": -1}]
)
def test_budgets_that_make_no_sense_are_refused(limits: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"budget|positive|wall"):
        Budget(**limits)
