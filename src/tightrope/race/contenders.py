"""Contenders: dropped configs that may yet be better than the incumbent, the most promising first."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tightrope.race.evidence import Evidence
from tightrope.race.terms import Prior, Terms, expected_gain

_SHORTLISTED = 50  # configs that are looked at until the next estimate
_LEAST_GAIN = 0.01  # of log cost: less is not worth a run
_DROPPED = Prior()


@dataclass(frozen=True, slots=True)
class Standing:
    """A config against the incumbent on their common tasks: sums of expected costs, and expected gain."""

    number: int
    n_tasks: int
    incumbent: float
    challenger: float
    gain: float


def compare(
    number: int,
    evidence: Evidence,
    to_beat: Mapping[int, float],
    terms: Terms,
    *,
    prior: Prior = _DROPPED,
) -> Standing:
    """Compare a config with the incumbent on their common tasks."""
    costs, ours = [], 0.0
    for task, score in evidence.scores(number).items():
        theirs = to_beat.get(task)
        if theirs is not None:
            costs.append(theirs)
            ours += terms.expect(score)
    total = sum(costs)
    if total <= 0.0:
        return Standing(number, len(costs), total, ours, 0.0)
    gain = expected_gain(ours, total, terms.variance(costs), prior=prior)
    return Standing(number, len(costs), total, ours, gain)


def shortlist(evidence: Evidence, to_beat: Mapping[int, float], terms: Terms) -> list[int]:
    """Return the numbers of the configs with the largest expected gains."""
    every = [compare(number, evidence, to_beat, terms) for number in range(evidence.n_configs)]
    every.sort(key=lambda standing: -standing.gain)
    return [standing.number for standing in every[:_SHORTLISTED]]


def best_first(
    numbers: Iterable[int], evidence: Evidence, to_beat: Mapping[int, float], terms: Terms
) -> list[Standing]:
    """Return those of the configs that may run more tasks and whose expected gain is worth a run."""
    standings = [compare(number, evidence, to_beat, terms) for number in numbers]
    promising = [
        standing
        for standing in standings
        if standing.gain > _LEAST_GAIN and 0 < standing.n_tasks < terms.n_tasks
    ]
    return sorted(promising, key=lambda standing: -standing.gain)
