"""The scaling experiment on invented rows."""

from importlib import import_module as load
from pathlib import Path

import pytest

from tightrope.records import Config, Incumbent, Outcome, Status, Trial
from tightrope.store import Decision, Entry

pytest.importorskip("matplotlib")
pytest.importorskip("pandas")


X = Config({"x": 0.5})


def make_rows() -> list[dict[str, object]]:
    shares = {"idle_share": 0.01, "thinking_share": 0.02, "n_runs": 100, "n_cancelled": 5}
    times = {1: 4000.0, 16: 400.0, 256: float("inf")}
    return [
        {"workers": n, "seed": seed, "time_10": at / 4, "time_6": at / 2, "time_4": at, **shares}
        for n, at in times.items()
        for seed in range(3)
    ]


def test_idle_time_excludes_finished_runs_and_running_ones() -> None:
    whats = [
        Decision(0, 1.0, 0.0, ()),
        Trial(0, X),
        Trial(1, X),
        Outcome(0, Status.DONE, 4.0, 4.0, wall_s=4.0),
    ]
    entries = [Entry(what, 0.0) for what in whats]
    assert load("scaling.measure").idle_share(entries, workers=2, wall_s=10.0) == pytest.approx(
        1 - (4 + 9) / 20
    )


def test_the_time_to_a_level_is_that_of_the_first_incumbent_that_reaches_it() -> None:
    trajectory = [Incumbent(Config({"x": x}), 0.0, 1, wall_s=at_s) for x, at_s in ((9, 1.0), (5, 2.0))]
    time_to = load("scaling.measure").time_to
    times = [time_to(level, trajectory, quality=lambda config: config["x"]) for level in (10, 6, 4)]
    assert times == [1.0, 2.0, float("inf")]


def test_the_table_has_times_and_speed_ups() -> None:
    report = load("scaling.report")
    lines = report.markdown(report.summarise(make_rows())).splitlines()
    assert lines[3].startswith("| 16 | 100 s (10 x) | 200 s (10 x) | 400 s (10 x) | 1.0% | 2.0% |")
    assert "not reached" in lines[4]


def test_the_picture_is_drawn(tmp_path: Path) -> None:
    load("scaling.picture").draw_times(make_rows(), tmp_path / "scaling.png")
    assert (tmp_path / "scaling.png").stat().st_size > 1000
