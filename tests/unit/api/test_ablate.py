"""ablate: from a tuning to the changes that matter."""

import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tightrope import Ablation, Budget, Scenario, ablate, tune
from tightrope.errors import ScenarioError, TargetError
from tightrope.records import Event, Finished, StopKind
from tightrope.run import Virtual
from tightrope.store import JournalReader

NAMES = [f"p{number:02d}" for number in range(40)]
DEFAULT = dict.fromkeys(NAMES, 0.3)


def planted(config: Any, instance: str, seed: int) -> float:
    """Return a cost that depends on three of forty parameters, and a little on chance."""
    gain = (4.0 if config["p07"] < 0.5 else 1.0) * (1.0 + 2.0 * abs(config["p21"] - 0.8))
    gain *= 1.0 + 1.5 * abs(config["p33"] - 0.1)
    rng = np.random.default_rng(zlib.crc32(repr((instance, sorted(config.items()))).encode()))
    return float(0.5 * (1.0 + len(instance)) * gain * np.exp(0.05 * rng.standard_normal()))


def scenario_of(budget: float = 250.0, **changes: Any) -> Scenario:
    given = {
        "space": dict.fromkeys(NAMES, (0.0, 1.0)),
        "default": DEFAULT,
        "instances": ["x" * (1 + number % 4) + str(number) for number in range(20)],
        "ceiling": 100.0,
        "budget": budget,
    }
    return Scenario(**given | changes)


BEST = {name: round(0.01 + 0.024 * number, 3) for number, name in enumerate(NAMES)} | {
    "p07": 0.9,
    "p21": 0.78,
    "p33": 0.12,
}


@pytest.mark.parametrize("seed", [0, 1])
def test_three_planted_parameters_of_forty_are_found(seed: int) -> None:
    scenario = scenario_of(700.0)
    tuned = tune(scenario, executor=Virtual(planted), seed=seed)
    assert sum(value != 0.3 for value in tuned.best.values()) == 40
    found = ablate(scenario, tuned.best, history=tuned.history, executor=Virtual(planted), seed=seed)
    assert {change.name for step in found.steps for change in step.changes} == {"p07", "p21", "p33"}
    assert found.stripped == DEFAULT | {name: tuned.best[name] for name in ("p07", "p21", "p33")}
    assert found.steps[0].changes[0].name == "p07"
    full = 40 * 41 / 2 * len(scenario.instances)
    assert len(found.history) < 0.05 * full


@pytest.fixture(scope="module")
def found() -> Ablation:
    return ablate(scenario_of(), BEST, executor=Virtual(planted))


def test_without_a_history_it_takes_longer_and_finds_the_same(found: Ablation) -> None:
    assert {change.name for step in found.steps for change in step.changes} == {"p07", "p21", "p33"}
    assert found.reason.kind is StopKind.COMPLETE


def test_shares_add_up_and_costs_lead_from_the_default_to_the_best(found: Ablation) -> None:
    route = found.route
    assert route.others is not None
    assert sum(step.share for step in [*route.steps, route.others]) == pytest.approx(1.0)
    ratios = [step.contrast.ratio for step in [*route.steps, route.others]]
    assert np.prod(ratios) == pytest.approx(route.gain.ratio)
    assert all(step.contrast.interval is not None for step in route.steps)


def test_the_sentence_counts_changes_and_compares_with_both_ends(found: Ablation) -> None:
    said = str(found)
    assert said.startswith("3 of 40 changes keep the gain: the stripped config costs ")
    assert "times less than the default (95 % interval " in said
    assert "times as much as the best (95 % interval " in said


def test_the_path_is_a_table_for_pandas(found: Ablation) -> None:
    frame = found.to_frame()
    assert frame["title"].iloc[0] == "the default"
    assert frame["title"].iloc[-1] == "37 other changes"
    assert frame["share"].iloc[1:].sum() == pytest.approx(1.0)


def test_several_slots_find_the_same_changes(found: Ablation) -> None:
    parallel = ablate(scenario_of(), BEST, executor=Virtual(planted, slots=4))
    assert parallel.stripped == found.stripped


class EnoughError(Exception):
    """Raised by a watch, like Ctrl-C at a bad moment."""


@pytest.mark.parametrize("n_runs", [10, 100])
def test_an_interrupted_ablation_ends_as_if_nothing_had_happened(
    n_runs: int, tmp_path: Path, found: Ablation
) -> None:
    left = n_runs

    def stop(event: Event) -> None:
        nonlocal left
        left -= isinstance(event, Finished)
        if left == 0:
            raise EnoughError

    journal = tmp_path / "ablation.journal"
    with pytest.raises(EnoughError):
        ablate(scenario_of(), BEST, executor=Virtual(planted), journal=journal, watch=stop)
    with JournalReader(journal) as reader:
        assert len(reader.history()) == n_runs
    resumed = ablate(scenario_of(), BEST, executor=Virtual(planted), journal=journal)
    assert resumed.stripped == found.stripped
    assert [step.changes for step in resumed.steps] == [step.changes for step in found.steps]
    assert len(resumed.history) == len(found.history)


def test_a_larger_budget_continues_where_a_smaller_one_ended(tmp_path: Path, found: Ablation) -> None:
    journal = tmp_path / "ablation.journal"
    first = ablate(scenario_of(), BEST, budget=Budget(runs=60), executor=Virtual(planted), journal=journal)
    assert first.reason.kind is StopKind.RUNS
    assert not first.route.is_complete
    assert str(first).startswith("No change could be left out yet: the best config costs ")
    assert str(first).endswith("The search for a smaller set is not finished.")
    second = ablate(scenario_of(), BEST, executor=Virtual(planted), journal=journal)
    assert second.stripped == found.stripped
    assert len(second.history) == len(found.history)


def test_runs_of_another_best_config_do_no_harm(tmp_path: Path, found: Ablation) -> None:
    journal = tmp_path / "ablation.journal"
    ablate(scenario_of(), {**BEST, "p33": 0.3}, executor=Virtual(planted), journal=journal)
    again = ablate(scenario_of(), BEST, executor=Virtual(planted), journal=journal)
    assert again.stripped == found.stripped


def test_a_budget_too_small_for_both_configs_says_so() -> None:
    with pytest.raises(TargetError, match="were not measured"):
        ablate(scenario_of(), BEST, budget=Budget(runs=3), executor=Virtual(planted))


def test_a_config_that_is_no_better_has_no_changes_that_matter() -> None:
    found = ablate(scenario_of(), DEFAULT | {"p01": 0.9}, executor=Virtual(planted))
    assert found.stripped == DEFAULT
    assert "not measurably better" in str(found)


@pytest.mark.parametrize(
    ("best", "problem"),
    [(DEFAULT, "the best config is the default"), ({"p00": 7.0}, "the best config: ")],
)
def test_a_best_config_that_makes_no_sense_is_refused(best: dict[str, float], problem: str) -> None:
    with pytest.raises(ScenarioError, match=problem):
        ablate(scenario_of(), best, executor=Virtual(planted))


def test_tasks_can_be_limited(found: Ablation) -> None:
    few = ablate(scenario_of(), BEST, n_tasks=5, executor=Virtual(planted))
    assert few.route.costs[0].n_tasks == 5
    with pytest.raises(ScenarioError, match="n_tasks must be at least 1"):
        ablate(scenario_of(), BEST, n_tasks=0, executor=Virtual(planted))


def test_the_picture_has_a_bar_for_each_stage(found: Ablation) -> None:
    (axes,) = found.plot().axes
    assert len(axes.patches) == 5
    assert axes.get_yticklabels()[0].get_text() == "the default"
