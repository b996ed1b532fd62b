"""minimize() and Optimizer with a journal: exact resume, events, findings."""

from collections.abc import Callable
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import Any

import pytest

from tightrope import Budget, Capped, MinimizeResult, Optimizer, minimize
from tightrope.errors import JournalError
from tightrope.records import Event, Finished, Improved, Noted, Resumed, Started, Status, Trial
from tightrope.run import Mishap, Virtual
from tightrope.store import JournalReader

SPACE = {"x": (0.0, 1.0), "n": (1, 20), "kind": ["a", "b"]}


def bowl(config: dict[str, Any], cap: float) -> float | Capped:
    if config["n"] == 13:
        raise ValueError("13 does not work")
    cost = 1.0 + 30.0 * (config["x"] - 0.3) ** 2 + 0.1 * abs(config["n"] - 5) + (config["kind"] == "b")
    return cost if cost < cap else Capped(at=cap)


def simulated(config: Any, instance: str, seed: int) -> float | Mishap:
    if config["n"] == 13:
        return Mishap(at=0.5)
    cost = bowl(config, inf)
    assert isinstance(cost, float)
    return cost


def stop_after(n: int) -> Callable[[Event], None]:
    seen = 0

    def watch(event: Event) -> None:
        nonlocal seen
        seen += isinstance(event, Finished)
        if seen == n:
            raise KeyboardInterrupt

    return watch


def decisions_of(result: MinimizeResult) -> list[tuple[Trial, Status, float]]:
    return [(run.trial, run.outcome.status, run.outcome.cost) for run in result.history]


@pytest.mark.filterwarnings("ignore:config:UserWarning")
@pytest.mark.parametrize("budget", [Budget(cost=120.0), Budget(evaluations=30)])
@pytest.mark.parametrize("model", ["forest", "auto"])
def test_stopped_and_resumed_it_does_what_it_would_have_done(
    budget: Budget, model: str, tmp_path: Path
) -> None:
    space = SPACE if model == "forest" else {"x": (0.0, 1.0), "n": (1, 20)}

    def f(config: dict[str, Any], cap: float) -> float | Capped:
        return bowl({"kind": "a", **config}, cap)

    whole = minimize(f, space, budget=budget, model=model, seed=3)
    journal = tmp_path / "search.journal"
    for n in (1, 4, 9):
        with suppress(KeyboardInterrupt):
            minimize(f, space, budget=budget, model=model, seed=3, journal=journal, watch=stop_after(n))
    rest = minimize(f, space, budget=budget, model=model, seed=3, journal=journal)
    assert decisions_of(rest) == decisions_of(whole)
    assert (rest.best, rest.cost, rest.spent, rest.reason) == (
        whole.best,
        whole.cost,
        whole.spent,
        whole.reason,
    )
    assert [each.config for each in rest.trajectory] == [each.config for each in whole.trajectory]


@pytest.mark.filterwarnings("ignore:config:UserWarning")
def test_trials_under_way_are_run_again_under_their_old_numbers(tmp_path: Path) -> None:
    journal = tmp_path / "search.journal"
    settings: dict[str, Any] = {"budget": Budget(evaluations=20), "seed": 1, "journal": journal}
    workers = Virtual(simulated, slots=3)
    with suppress(KeyboardInterrupt):
        minimize(bowl, SPACE, workers=workers, watch=stop_after(7), **settings)
    with JournalReader(journal) as reader:
        pending = {trial.id for trial in reader.pending()}
    events: list[Event] = []
    minimize(bowl, SPACE, workers=workers, watch=events.append, **settings)
    assert isinstance(events[0], Resumed)
    assert {trial.id for trial in events[0].pending} == pending
    restarted = [event.trial.id for event in events if isinstance(event, Started)][: len(pending)]
    assert set(restarted) == pending
    with JournalReader(journal) as reader:
        ids = [run.trial.id for run in reader.history()]
        assert (len(ids), len(set(ids)), reader.pending()) == (len(set(ids)), len(ids), [])


@pytest.mark.filterwarnings("ignore:config:UserWarning")
def test_more_budget_goes_on(tmp_path: Path) -> None:
    journal = tmp_path / "search.journal"
    part = minimize(bowl, SPACE, budget=Budget(evaluations=10), journal=journal, model="forest")
    rest = minimize(bowl, SPACE, budget=Budget(evaluations=20), journal=journal, model="forest")
    assert decisions_of(rest)[: len(part.history)] == decisions_of(part)
    assert rest.spent > part.spent


@pytest.mark.parametrize(
    "change", [{"slack": 2.0}, {"seed": 1}, {"n_initial": 7}, {"first_cap": 3.0}, {"model": "forest"}]
)
def test_other_settings_are_refused(change: dict[str, Any], tmp_path: Path) -> None:
    journal = tmp_path / "search.journal"
    space = {"x": (0.0, 1.0)}

    def f(config: dict[str, Any], cap: float) -> float:
        return 1.0 + float(config["x"])

    minimize(f, space, budget=Budget(evaluations=9), journal=journal, slack=inf)
    with pytest.raises(JournalError):
        minimize(f, space, budget=Budget(evaluations=9), journal=journal, **{"slack": inf} | change)


def test_events_tell_of_trials_runs_and_improvements() -> None:
    events: list[Event] = []
    result = minimize(
        lambda config, cap: 1.0 + config["x"],
        {"x": (0.0, 1.0)},
        budget=Budget(evaluations=6),
        slack=inf,
        watch=events.append,
    )
    kinds = [type(event) for event in events]
    assert (kinds.count(Started), kinds.count(Finished)) == (6, 6)
    improved = [event.incumbent for event in events if isinstance(event, Improved)]
    assert improved == list(result.trajectory)
    assert improved[-1].config == result.best
    assert improved[-1].spent <= result.spent


def test_findings_are_in_the_result() -> None:
    events: list[Event] = []
    with pytest.warns(UserWarning, match="13 does not work"):
        result = minimize(bowl, {**SPACE, "n": (12, 14)}, budget=60.0, model="forest", watch=events.append)
    assert [finding.code for finding in result.findings] == ["F03"]
    assert [event.finding for event in events if isinstance(event, Noted)] == list(result.findings)


def test_measured_times_are_kept() -> None:
    result = minimize(bowl, {**SPACE, "n": (1, 9)}, budget=Budget(evaluations=5))
    assert all(run.outcome.wall_s > 0 for run in result.history)
    assert result.wall_s > 0


def ask_and_tell(optimizer: Optimizer, n: int) -> None:
    for _ in range(n):
        trial = optimizer.ask()
        assert trial is not None
        answer = bowl({**trial.config, "n": 3}, trial.cap)
        capped = isinstance(answer, Capped)
        optimizer.tell(trial, answer.at if isinstance(answer, Capped) else answer, capped=capped)


def test_an_optimizer_resumes_from_its_journal_with_its_pending_trials(tmp_path: Path) -> None:
    journal = tmp_path / "search.journal"
    whole = Optimizer(SPACE, seed=2)
    whole.tell_run({"x": 0.5, "n": 4, "kind": "a"}, 9.0)
    ask_and_tell(whole, 25)
    with Optimizer(SPACE, seed=2, journal=journal) as first:
        first.tell_run({"x": 0.5, "n": 4, "kind": "a"}, 9.0)
        ask_and_tell(first, 10)
        asked = first.ask()
    events: list[Event] = []
    with Optimizer(SPACE, seed=2, journal=journal, watch=events.append) as second:
        assert second.pending == (asked,)
        assert isinstance(events[0], Resumed)
        (trial,) = second.pending
        answer = bowl({**trial.config, "n": 3}, trial.cap)
        capped = isinstance(answer, Capped)
        second.tell(trial, answer.at if isinstance(answer, Capped) else answer, capped=capped)
        ask_and_tell(second, 14)
        assert second.runs == whole.runs
        assert second.result().trajectory == whole.result().trajectory
