"""The rising design, as scripts: what happened so far -> what is run next."""

from math import inf

from tightrope.records import Config, Outcome, Run, Status, Trial
from tightrope.search.design import RisingDesign
from tightrope.search.tally import Tally

SLACK = 1.5


def round_of_two(number: int) -> list[Config]:
    return [Config({"x": f"{number}{letter}"}) for letter in "ab"]


def play(costs: dict[str, float], *, ceiling: float = inf) -> list[tuple[str, float]]:
    """Run the design to its end; configs that are not listed never finish."""
    design = RisingDesign(round_of_two, first_cap=1.0, ceiling=ceiling)
    tally, script = Tally(), []
    while (planned := design.next(tally, usual_cap=min(SLACK * tally.best, ceiling))) is not None:
        trial = Trial(len(script), planned.config, planned.cap)
        script.append((planned.config["x"], planned.cap))
        cost = costs.get(planned.config["x"], inf)
        status = Status.DONE if cost < planned.cap else Status.CAPPED
        charged = min(cost, planned.cap)
        tally.start(trial)
        tally.finish(Run(trial, Outcome(trial.id, status, charged, charged)))
    return script


def test_each_round_has_new_configs_and_twice_the_cap() -> None:
    assert play({"2b": 3.0}) == [("0a", 1), ("0b", 1), ("1a", 2), ("1b", 2), ("2a", 4), ("2b", 4)]


def test_the_round_of_the_first_to_finish_is_completed_under_the_usual_cap() -> None:
    assert play({"1a": 1.2}) == [("0a", 1), ("0b", 1), ("1a", 2), ("1b", SLACK * 1.2)]


def test_a_round_under_the_ceiling_is_the_last() -> None:
    assert [cap for _, cap in play({}, ceiling=3.0)] == [1, 1, 2, 2, 3, 3]


def test_it_ends_even_if_nothing_ever_finishes() -> None:
    assert len(play({})) < 1000
