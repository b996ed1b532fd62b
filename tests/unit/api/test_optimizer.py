"""Optimizer: ask and tell."""

from math import inf, nan

import pytest

from tightrope import Optimizer
from tightrope.records import Trial

SPACE = {"x": (0.0, 1.0), "kind": ["a", "b"]}


def cost_of(trial: Trial) -> float:
    return 1.0 + 10.0 * abs(trial.config["x"] - 0.3) + (trial.config["kind"] == "b")


def make(**settings: object) -> Optimizer:
    return Optimizer(SPACE, **{"first_cap": 2.0, **settings})


def play(optimizer: Optimizer, n: int) -> list[Trial]:
    trials = []
    for _ in range(n):
        trial = optimizer.ask()
        assert trial is not None
        trials.append(trial)
        cost = cost_of(trial)
        if cost < trial.cap:
            optimizer.tell(trial, cost)
        else:
            optimizer.tell(trial, capped=True)
    return trials


def test_it_finds_the_better_kind() -> None:
    optimizer = make()
    play(optimizer, 40)
    assert optimizer.best is not None
    assert optimizer.best["kind"] == "a"
    assert optimizer.cost < 1.5


def test_every_trial_carries_a_positive_cap() -> None:
    assert all(0.0 < trial.cap < inf for trial in play(make(), 25))


def test_after_the_design_the_cap_is_slack_times_the_best_cost() -> None:
    optimizer = make(slack=1.2)
    play(optimizer, 25)
    best = optimizer.cost
    trial = optimizer.ask()
    assert trial is not None
    assert trial.cap == 1.2 * best


def test_no_cap_exceeds_the_ceiling() -> None:
    assert all(trial.cap <= 1.7 for trial in play(make(ceiling=1.7), 25))


def test_without_slack_nothing_is_capped() -> None:
    assert all(trial.cap == inf for trial in play(make(slack=inf), 15))


def test_no_config_is_proposed_again_once_it_finished() -> None:
    optimizer = make()
    play(optimizer, 40)
    finished = [run.trial.config for run in optimizer.runs if run.done]
    assert len(set(finished)) == len(finished)


def test_an_exhausted_space_gives_no_trial() -> None:
    optimizer = Optimizer({"kind": ["a", "b", "c"]}, slack=inf)
    for cost in (3.0, 1.0, 2.0):
        trial = optimizer.ask()
        assert trial is not None
        optimizer.tell(trial, cost)
    assert optimizer.ask() is None


def test_a_gaussian_process_serves_numeric_spaces() -> None:
    optimizer = Optimizer({"x": (0.0, 1.0)}, model="process", first_cap=2.0)
    for _ in range(25):
        trial = optimizer.ask()
        assert trial is not None
        cost = 1.0 + 10.0 * (trial.config["x"] - 0.3) ** 2
        optimizer.tell(trial, min(cost, trial.cap), capped=cost >= trial.cap)
    assert optimizer.cost < 1.02


def test_the_same_seed_gives_the_same_trials() -> None:
    assert play(make(seed=3), 20) == play(make(seed=3), 20)


def test_the_history_alone_rebuilds_the_state() -> None:
    first, second = make(), make()
    play(first, 18)
    second.replay(first.runs)
    assert play(first, 5) == play(second, 5)


def test_several_trials_may_be_outstanding_and_differ() -> None:
    optimizer = make()
    play(optimizer, 20)
    trials = [optimizer.ask() for _ in range(4)]
    assert len({trial.config for trial in trials if trial is not None}) == 4


def test_runs_measured_elsewhere_are_taken_in() -> None:
    optimizer = make()
    optimizer.tell_run({"x": 0.3, "kind": "a"}, 1.0)
    assert (optimizer.best, optimizer.cost) == ({"x": 0.3, "kind": "a"}, 1.0)
    optimizer.tell_run({"x": 0.9, "kind": "a"}, 5.0, capped=True)
    play(optimizer, 12)
    assert optimizer.cost <= 1.0


def test_telling_twice_is_an_error() -> None:
    optimizer = make()
    (trial,) = play(optimizer, 1)
    with pytest.raises(ValueError, match="told already"):
        optimizer.tell(trial, 1.0)


def test_telling_of_an_unknown_trial_is_an_error() -> None:
    optimizer, other = make(), make(seed=5)
    trial = other.ask()
    assert trial is not None
    with pytest.raises(ValueError, match="was not asked for here"):
        optimizer.tell(trial, 1.0)


def test_telling_less_than_the_cap_as_capped_is_an_error() -> None:
    optimizer = make()
    trial = optimizer.ask()
    assert trial is not None
    with pytest.raises(ValueError, match="its cap is 2"):
        optimizer.tell(trial, 1.0, capped=True)


@pytest.mark.parametrize("cost", [nan, inf, -1.0, 0.0, None])
def test_a_cost_that_is_none_names_the_config(cost: float | None) -> None:
    optimizer = make()
    trial = optimizer.ask()
    assert trial is not None
    with pytest.raises(ValueError, match="'kind'"):
        optimizer.tell(trial, cost)


def test_costs_below_zero_are_fine_without_logarithms() -> None:
    optimizer = make(log=False, slack=inf)
    trial = optimizer.ask()
    assert trial is not None
    assert optimizer.tell(trial, -1.0)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"slack": 0.9}, "slack"),
        ({"slack": nan}, "slack"),
        ({"ceiling": 0.0}, "ceiling"),
        ({"first_cap": -1.0}, "first_cap"),
        ({"design": "grid"}, "grid"),
        ({"model": "tree"}, "tree"),
        ({"model": "process"}, "conditions"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make(**settings)
