"""tightrope.importance, from results and histories; from run folders in tests/cli."""

import builtins
from typing import Any

import pytest
from ConfigSpace import ConfigurationSpace, EqualsCondition

from reported import scenario, seconds
from tightrope import Capped, TuneResult, importance, minimize, tune
from tightrope.run import Virtual
from tightrope.store import History

COLUMNS = ["parameter", "partner", "share", "spread", "local", "local_spread"]


@pytest.fixture(scope="module")
def result() -> TuneResult:
    return tune(scenario(), executor=Virtual(seconds, slots=2), seed=1)


def test_the_table_is_sorted_and_complete(result: TuneResult) -> None:
    table = importance(result, trees=20)
    assert list(table.columns) == COLUMNS
    assert table["parameter"].tolist() == ["x", "mode", "mode"]
    assert table["partner"].tolist() == ["", "", "x"]
    assert table["share"][0] > table["share"][1] > 0
    assert 0.9 < table["share"].sum() < 1.0 + 1e-9
    assert table["local"][:2].sum() == pytest.approx(1.0)
    assert table["local"].isna().tolist() == [False, False, True]
    assert (table["spread"] > 0).all()


def test_the_number_of_threads_does_not_matter(result: TuneResult) -> None:
    assert importance(result, trees=10, n_jobs=2).equals(importance(result, trees=10, n_jobs=1))


def test_a_history_needs_to_know_its_space_only(result: TuneResult) -> None:
    whole = importance(result, trees=20)
    named = importance(result.history, space=scenario().space, trees=20)
    inferred = importance(result.history, trees=20)
    known = importance(result.history, scenario=scenario(), trees=20)
    assert known["share"].tolist() == pytest.approx(whole["share"].tolist(), abs=0.1)
    for table in (named, inferred):
        assert set(table["parameter"]) == {"x", "mode"}


def test_a_history_of_configs_with_conditions_needs_its_space() -> None:
    space = ConfigurationSpace({"use": ["no", "yes"], "x": (0.0, 1.0), "y": (0.0, 1.0)})
    space.add(EqualsCondition(space["x"], space["use"], "yes"))

    def cost(config: Any, instance: str, seed: int) -> float:
        return (1.0 + config["y"] + 3.0 * config.get("x", 0.0)) * len(instance)

    found = tune(scenario(space=space, default=None), executor=Virtual(cost, slots=2))
    with pytest.raises(ValueError, match="pass the scenario"):
        importance(found.history)
    table = importance(found.history, space=space, trees=20)
    assert set(table["parameter"]) == {"use", "x", "y"}
    with pytest.raises(ValueError, match="only needed for a History"):
        importance(found, space=space)


def test_costs_weigh_expensive_configs_more(result: TuneResult) -> None:
    assert importance(result, trees=20, scale="cost")["share"][0] > importance(result, trees=20)["share"][0]


def test_costs_can_be_limited_to_the_defaults(result: TuneResult) -> None:
    default = importance(result, at_most="default", trees=20)
    same = importance(result, at_most=result.default, trees=20)
    assert default.equals(same)
    assert not default.equals(importance(result, trees=20))


def test_a_result_of_minimize_has_importances() -> None:
    def f(config: Any, cap: float) -> Any:
        cost = 1.0 + 20.0 * (config["x"] - 0.3) ** 2 + config["y"]
        return cost if cost < cap else Capped(at=cap)

    found = minimize(f, {"x": (0.0, 1.0), "y": (0.0, 1.0)}, budget=300, slack=10, model="forest")
    assert importance(found, trees=20)["parameter"][0] == "x"


def test_wrong_arguments_say_what_is_accepted(result: TuneResult) -> None:
    with pytest.raises(ValueError, match="scale must be 'log' or 'cost'"):
        importance(result, scale="linear")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="pairs must be at least 0"):
        importance(result, pairs=-1)
    with pytest.raises(ValueError, match="at_most must be"):
        importance(result, at_most="best")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="at least 60 runs"):
        importance(History(result.history.runs[:30]))
    with pytest.raises(TypeError, match="a History or a run folder"):
        importance(3)  # type: ignore[arg-type]


def test_without_pandas_the_message_says_what_to_install(
    result: TuneResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    imported = builtins.__import__

    def without(name: str, *args: Any, **more: Any) -> Any:
        if name == "pandas":
            raise ImportError
        return imported(name, *args, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ImportError, match=r'importance needs pandas: pip install "tightrope\[plot\]"'):
        importance(result)


def test_a_result_draws_its_importances(result: TuneResult) -> None:
    axes = result.plot_importance(trees=20).axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["x", "mode", "mode x x"]
    assert axes.get_title().startswith("x explains ")
    assert axes.get_xlim()[0] == 0.0
