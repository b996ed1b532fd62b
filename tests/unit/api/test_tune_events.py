"""What whoever watches a tuning is told."""

from pathlib import Path

from tightrope import Scenario, tune
from tightrope.records import Basis, Event, Finished, Improved, Resumed, Selected, Started
from tightrope.run import Virtual
from tightrope.store import JournalReader


def seconds(config: dict[str, float], instance: str, seed: int) -> float:
    return (1.0 + 30.0 * (config["x"] - 0.3) ** 2) * len(instance)


def scenario_of(budget: float, model: str = "forest") -> Scenario:
    return Scenario(
        space={"x": (0.0, 1.0)}, instances=["a", "bb", "cccc"], ceiling=50.0, budget=budget, model=model
    )


def events_of(scenario: Scenario, slots: int = 1, journal: Path | None = None) -> list[Event]:
    events: list[Event] = []
    tune(scenario, executor=Virtual(seconds, slots=slots), journal=journal, watch=events.append)
    return events


def test_every_run_was_started_before() -> None:
    under_way: set[int] = set()
    for event in events_of(scenario_of(100.0), slots=3):
        if isinstance(event, Started):
            under_way.add(event.trial.id)
            assert len(under_way) <= event.slots == 3
        elif isinstance(event, Finished):
            under_way.remove(event.run.trial.id)


def test_the_first_challengers_are_a_design_and_later_ones_the_models() -> None:
    selected = [event for event in events_of(scenario_of(200.0)) if isinstance(event, Selected)]
    assert selected[0].basis is Basis.DESIGN
    assert {event.basis for event in selected[1:]} == {Basis.MODEL}
    assert all(event.challengers for event in selected)


def test_a_tuning_without_a_model_says_so() -> None:
    events = events_of(scenario_of(200.0, model="random"))
    assert {event.basis for event in events if isinstance(event, Selected)} == {Basis.DESIGN, Basis.NO_MODEL}


def test_the_journal_keeps_what_challengers_were_selected_by(tmp_path: Path) -> None:
    events = events_of(scenario_of(100.0), journal=tmp_path / "a.journal")
    with JournalReader(tmp_path / "a.journal") as reader:
        notes = [decision.note for decision in reader.decisions() if decision.note]
    assert notes == [event.basis.value for event in events if isinstance(event, Selected)]


def test_a_tuning_that_goes_on_tells_its_past_first(tmp_path: Path) -> None:
    before = events_of(scenario_of(60.0), journal=tmp_path / "a.journal")
    resumed, *_ = events_of(scenario_of(100.0), journal=tmp_path / "a.journal")
    assert isinstance(resumed, Resumed)
    assert list(resumed.runs) == [event.run for event in before if isinstance(event, Finished)]
    assert list(resumed.trajectory) == [event.incumbent for event in before if isinstance(event, Improved)]
    assert resumed.used_s > 0


def test_a_new_tuning_has_no_past() -> None:
    assert not any(isinstance(event, Resumed) for event in events_of(scenario_of(60.0)))
