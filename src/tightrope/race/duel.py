"""A challenger against the incumbent, on a growing part of the incumbent's tasks.

=========  ==========================================================================================
symbol     meaning
=========  ==========================================================================================
to_beat    what the incumbent counts for, by task
rung       how many tasks S they are compared on now: the first of the duel's order
margin     r = slack x incumbent(S) - challenger(done part of S): what the challenger may still cost
=========  ==========================================================================================
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from math import inf, isinf

import numpy as np

from tightrope.race.objective import Objective, Score

_PURPOSE = 2  # of this module's random numbers

Scores = Mapping[int, Score]
Charges = Mapping[int, float]


class Verdict(Enum):
    """How a duel stands."""

    GO_ON = "go on"
    DROP = "drop"
    PROMOTE = "promote"


@dataclass(frozen=True, slots=True)
class Rules:
    """How a duel is fought.

    `resolution` is the smallest cap that makes sense. The first rung has at least `first_rung` tasks, and so
    many that they cost the incumbent `stake` times as much as a task does on average.
    """

    objective: Objective
    slack: float = 1.3
    resolution: float = 0.01
    first_rung: int = 1
    stake: float = 0.25
    seed: int = 0


@dataclass(slots=True)
class Duel:
    """A challenger, the tasks it is to meet the incumbent on, in their order, and how many it meets now."""

    challenger: int
    order: list[int]
    rung: int


@dataclass(frozen=True, slots=True)
class Balance:
    """The sums of a rung: what both count for, and the tasks on which the challenger is not settled."""

    incumbent: float
    challenger: float
    open: tuple[int, ...]


def open_duel(challenger: int, known: Scores, to_beat: Charges, rules: Rules) -> Duel:
    """Begin with the tasks that the challenger knows already, or with some that tell much for their cost.

    Most tasks cost little and say little, a few make up most of the mean and are dear to fail on: a new
    challenger is tried first on tasks that cost the incumbent no more than its mean, as many as make up the
    stake. Where the incumbent takes no measurable time nobody can be seen to be faster.
    """
    common = [task for task in to_beat if task in known]
    duel = Duel(challenger, list(common), len(common))
    extend(duel, to_beat, rules)
    mean = sum(to_beat.values()) / len(to_beat)
    ranked = duel.order
    if rules.stake > 0 and not common:
        ranked = sorted(ranked, key=lambda task: to_beat[task] > mean)
    fewest, total = max(rules.first_rung, len(common)), 0.0
    for n, task in enumerate(ranked, start=1):
        total += to_beat[task]
        duel.rung = n
        if n >= fewest and total >= rules.stake * mean and rules.slack * total > rules.resolution:
            break
    first = set(ranked[: duel.rung])
    duel.order = ranked[: duel.rung] + [task for task in duel.order if task not in first]
    return duel


def extend(duel: Duel, to_beat: Charges, rules: Rules) -> None:
    """Append the tasks that the incumbent has gained, in random order."""
    if len(duel.order) < len(to_beat):
        new = sorted(to_beat.keys() - set(duel.order))
        rng = np.random.default_rng([rules.seed, _PURPOSE, duel.challenger, len(duel.order)])
        duel.order += [new[i] for i in rng.permutation(len(new))]


def balance(duel: Duel, known: Scores, to_beat: Charges, rules: Rules) -> Balance:
    """Add up the duel's rung."""
    objective = rules.objective
    ours = theirs = 0.0
    open_tasks = []
    for task in duel.order[: duel.rung]:
        theirs += to_beat[task]
        score = known.get(task)
        if score is None:
            open_tasks.append(task)
            continue
        ours += objective.charge(score)
        if not objective.is_settled(score):
            open_tasks.append(task)
    return Balance(theirs, ours, tuple(open_tasks))


def margin(sums: Balance, slack: float) -> float:
    """Return what the challenger may still cost on the rung."""
    return inf if isinf(slack) else slack * sums.incumbent - sums.challenger


def cap_of(score: Score | None, sums: Balance, rules: Rules) -> float:
    """Return the cap of the challenger's next run, given what is known of it on that task.

    A bound that is known has been charged already: to learn more, the run must go on beyond it.
    """
    used = 0.0 if score is None else score.cost
    return min(margin(sums, rules.slack) + used, rules.objective.ceiling)


def judge(duel: Duel, known: Scores, to_beat: Charges, rules: Rules) -> Verdict:
    """Say whether the challenger goes on, and move it to the rung where it does."""
    while True:
        sums = balance(duel, known, to_beat, rules)
        if sums.open:
            has_lost = margin(sums, rules.slack) <= rules.resolution
            return Verdict.DROP if has_lost else Verdict.GO_ON
        if sums.challenger > sums.incumbent:
            return Verdict.DROP
        if duel.rung >= len(to_beat):
            return Verdict.PROMOTE if sums.challenger < sums.incumbent else Verdict.DROP
        extend(duel, to_beat, rules)
        duel.rung = min(2 * duel.rung, len(to_beat))
