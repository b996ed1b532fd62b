"""The tally of a noisy function: the best config is the one with the smallest mean."""

from tightrope.records import Config, Outcome, Run, Status, Trial
from tightrope.search.tally import Tally

A, B, C = (Config({"x": x}) for x in (1, 2, 3))


def tally_of(*costs: tuple[Config, float]) -> Tally:
    tally = Tally()
    for number, (config, cost) in enumerate(costs):
        trial = Trial(number, config)
        tally.start(trial)
        tally.finish(Run(trial, Outcome(number, Status.DONE, cost, cost)))
    return tally


def test_the_best_config_is_picked_again_when_its_mean_worsens() -> None:
    tally = tally_of((A, 1.0), (B, 2.0), (A, 9.0))
    assert (tally.best_config, tally.best) == (B, 2.0)


def test_the_best_config_stays_while_its_mean_is_the_smallest() -> None:
    tally = tally_of((A, 1.0), (B, 6.0), (A, 9.0))
    assert (tally.best_config, tally.best) == (A, 5.0)


def test_the_smallest_of_all_other_means_is_found() -> None:
    tally = tally_of((A, 1.0), (B, 4.0), (C, 5.0), (C, 1.5), (A, 9.0))
    assert (tally.best_config, tally.best) == (C, 3.25)


def test_a_mean_that_improves_is_followed() -> None:
    tally = tally_of((A, 3.0), (B, 4.0), (A, 1.0))
    assert (tally.best_config, tally.best) == (A, 2.0)
