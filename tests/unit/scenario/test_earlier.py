"""What a tuning takes from earlier ones."""

from collections.abc import Mapping
from math import inf
from pathlib import Path
from typing import Any

import pytest

from tightrope import Scenario, tune
from tightrope.errors import JournalError, SpaceError
from tightrope.records import Config, Outcome, Run, Status, Task, Trial
from tightrope.run import Virtual
from tightrope.scenario.earlier import Earlier, find_earlier, notes_of, take_in
from tightrope.scenario.setup import plan_of
from tightrope.store import History, Journal


def scenario(**changes: Any) -> Scenario:
    settings: dict[str, Any] = {
        "space": {"x": (0.0, 1.0)},
        "instances": ["a", "b"],
        "ceiling": 100.0,
        "budget": 500.0,
    }
    return Scenario(**settings | changes)


def ended(x: float, instance: str, cost: float, *, status: Status = Status.DONE, **more: float) -> Run:
    config = Config({"x": x, **more})
    return Run(Trial(0, config, 100.0, Task(instance)), Outcome(0, status, cost, cost))


GOOD, BAD = 0.3, 0.9
RUNS = [
    ended(BAD, "a", 50.0),
    ended(GOOD, "a", 5.0),
    ended(BAD, "b", 30.0, status=Status.CAPPED),
    ended(GOOD, "b", 3.0),
    ended(0.5, "b", inf, status=Status.LOST),
]


def test_the_best_config_has_most_final_results() -> None:
    cheap_once = ended(0.1, "a", 1.0)
    assert take_in([History([*RUNS, cheap_once])], scenario()).best == ({"x": GOOD},)


def test_of_several_the_best_config_costs_least() -> None:
    runs = [ended(BAD, "a", 50.0), ended(GOOD, "a", 5.0)]
    assert take_in([History(runs)], scenario()).best == ({"x": GOOD},)


def test_a_result_knows_its_best_config() -> None:
    result = tune(scenario(), executor=Virtual(lambda config, instance, seed: 1.0 + config["x"]))
    assert take_in([result], scenario()).best == (result.best,)


def test_lost_runs_are_not_taken_in() -> None:
    assert take_in([History(RUNS)], scenario()).n_runs == 4


def test_runs_on_unknown_instances_are_left_out_and_counted() -> None:
    taken = take_in([History([*RUNS, ended(GOOD, "c", 4.0)])], scenario())
    assert (taken.n_runs, taken.n_elsewhere) == (4, 1)
    assert str(taken) == (
        "4 runs of an earlier tuning taken in; left out: "
        "1 on other instances, without features to compare them by"
    )
    assert [finding.code for finding in taken.findings] == ["R08"]


def test_runs_on_other_instances_enter_by_the_features_of_the_present_scenario() -> None:
    features = {"a": [1.0], "b": [2.0], "c": [9.0]}
    present = scenario(features=features)
    taken = take_in([History([*RUNS, ended(GOOD, "c", 4.0)])], present)
    assert (taken.n_runs, taken.n_elsewhere, taken.findings) == (5, 0, ())
    plan = plan_of(present, 0, earlier=taken)
    assert plan.earlier is not None
    assert plan.earlier.X[:, 1].tolist() == [1.0, 1.0, 2.0, 2.0, 9.0]
    assert plan.view.columns.tolist() == [[1.0], [2.0]]


def test_a_journal_keeps_the_features_of_its_instances(tmp_path: Path) -> None:
    first = scenario(instances=["c", "d"], features={"c": [5.0], "d": [6.0]})
    tune(first, journal=tmp_path / "tuning.journal", executor=Virtual(lambda config, instance, seed: 1.0))
    present = scenario(features={"a": [1.0], "b": [2.0]})
    for source in (tmp_path, tmp_path / "tuning.journal", str(tmp_path)):
        taken = take_in([source], present)
        assert taken.n_runs > 0
        assert taken.n_elsewhere == 0


@pytest.mark.parametrize(
    "features", [None, {"a": [1.0, 1.0], "b": [2.0, 2.0]}], ids=["none", "another number of them"]
)
def test_other_features_do_not_help(tmp_path: Path, features: Mapping[str, Any] | None) -> None:
    first = scenario(instances=["c", "d"], features={"c": [5.0], "d": [6.0]})
    tune(first, journal=tmp_path / "tuning.journal", executor=Virtual(lambda config, instance, seed: 1.0))
    taken = take_in([tmp_path], scenario(features=features))
    assert taken.n_runs == 0
    assert taken.n_elsewhere > 0


def test_values_outside_the_space_are_left_out_and_counted() -> None:
    taken = take_in([History([*RUNS, ended(1.5, "a", 2.0)])], scenario())
    assert (taken.n_runs, taken.n_outside, taken.best) == (4, 1, ({"x": GOOD},))
    assert "1 with values outside the space" in str(taken)


def test_other_parameters_are_refused() -> None:
    with pytest.raises(SpaceError, match=r"earlier\[0\] tuned other parameters: 'y' is not in this space"):
        take_in([History([ended(GOOD, "a", 1.0, y=2.0)])], scenario())


def test_parameters_that_are_missing_are_refused() -> None:
    wider = scenario(space={"x": (0.0, 1.0), "y": (0.0, 1.0)})
    with pytest.raises(SpaceError, match=r"earlier\[0\] cannot be taken in: no config .*'y'"):
        take_in([History(RUNS)], wider)


def test_a_tuning_without_runs_is_refused() -> None:
    with pytest.raises(SpaceError, match="no run has ended"):
        take_in([History()], scenario())


def test_a_folder_without_a_journal_is_named(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match=rf"{tmp_path}: there is no journal of a tuning"):
        take_in([tmp_path], scenario())


def test_a_journal_keeps_what_was_taken_in(tmp_path: Path) -> None:
    present = scenario(features={"a": [1.0], "b": [2.0]})
    taken = take_in([History(RUNS), History([ended(GOOD, "a", inf, status=Status.FAILED)])], present)
    path = tmp_path / "run.journal"
    Journal.create(path, notes=notes_of(present, taken)).close()
    assert find_earlier((), present, journal=path) == taken
    assert find_earlier([], present, journal=path).best == taken.best


def test_a_journal_refuses_other_earlier_runs(tmp_path: Path) -> None:
    path = tmp_path / "run.journal"
    Journal.create(path, notes=notes_of(scenario(), take_in([History(RUNS)], scenario()))).close()
    assert find_earlier([History(RUNS)], scenario(), journal=path).n_runs == 4
    with pytest.raises(JournalError, match=r"other earlier runs, or none; omit `earlier` to resume"):
        find_earlier([History(RUNS[:2])], scenario(), journal=path)


def test_first_challengers_are_the_initial_configs_then_the_earlier_best() -> None:
    present = scenario(initial=[{"x": 0.7}, {"x": 0.5}])
    plan = plan_of(present, 0, earlier=take_in([History(RUNS)], present))
    assert plan.initial == ({"x": 0.7}, {"x": GOOD})  # 0.5 is the default


def test_of_a_list_only_its_own_configs_are_tried() -> None:
    present = scenario(candidates=[{"x": 0.7}])
    assert plan_of(present, 0, earlier=take_in([History(RUNS)], present)).initial == ()


def test_nothing_is_taken_from_nothing() -> None:
    assert take_in([], scenario()) == Earlier()
    assert notes_of(scenario(), Earlier()) == {}
