"""The doubling design, as scripts: what happened so far -> what is run next."""

from math import inf

from tightrope.records import Config, Outcome, Run, Status, Trial
from tightrope.search.design import DoublingDesign
from tightrope.search.tally import Tally

A, B, C = (Config({"x": name}) for name in "ABC")
DESIGN = DoublingDesign([A, B, C], first_cap=1.0, ceiling=8.0)
SLACK = 1.5


def play(*costs: tuple[Config, float], design: DoublingDesign = DESIGN) -> list[tuple[str, float]]:
    """Run the design on configs of these costs to its end; return who was run under which cap."""
    true_cost = dict(costs)
    tally, script = Tally(), []
    while (planned := design.next(tally, usual_cap=min(SLACK * tally.best, design.ceiling))) is not None:
        trial = Trial(len(script), planned.config, planned.cap)
        script.append((planned.config["x"], planned.cap))
        tally.start(trial)
        done = true_cost[planned.config] < planned.cap
        cost = min(true_cost[planned.config], planned.cap)
        status = Status.DONE if done else Status.CAPPED
        tally.finish(Run(trial, Outcome(trial.id, status, cost, cost)))
    return script


def test_caps_double_until_one_finishes() -> None:
    assert play((A, 5.0), (B, 2.5), (C, 7.0)) == [
        ("A", 1), ("B", 1), ("C", 1),
        ("A", 2), ("B", 2), ("C", 2),
        ("A", 4), ("B", 4), ("C", 3.75),
    ]  # fmt: skip


def test_the_round_of_the_first_to_finish_is_completed_under_the_usual_cap() -> None:
    assert play((A, 0.5), (B, 2.5), (C, 0.6)) == [("A", 1), ("B", 0.75), ("C", 0.75)]


def test_caps_end_at_the_ceiling() -> None:
    script = play((A, 50.0), (B, 50.0), (C, 50.0))
    assert script[-3:] == [("A", 8), ("B", 8), ("C", 8)]
    assert len(script) == 12


def test_pending_configs_are_not_planned_again() -> None:
    tally = Tally()
    for number, config in enumerate((A, B)):
        tally.start(Trial(number, config, 1.0))
    planned = DESIGN.next(tally, usual_cap=inf)
    assert planned is not None
    assert (planned.config, planned.cap) == (C, 1.0)
