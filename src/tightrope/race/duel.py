"""A challenger against the incumbent, on a growing part of the incumbent's tasks.

=========  ==========================================================================================
symbol     meaning
=========  ==========================================================================================
rung       the tasks S they are compared on now: 1, then 2, 4, ... of the incumbent's
limit      where costs on a task are cut: the level, or the incumbent's own bound if it was cut lower
margin     r = slack x incumbent(S) - challenger(done part of S): what the challenger may still cost
=========  ==========================================================================================
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from math import inf, isinf

import numpy as np

from tightrope.race.objective import Objective, Score

_PURPOSE = 2  # of this module's random numbers

Scores = Mapping[int, Score]  # of one config, by the number of the task


class Verdict(Enum):
    """How a duel stands."""

    GO_ON = "go on"
    DROP = "drop"
    PROMOTE = "promote"


@dataclass(frozen=True, slots=True)
class Rules:
    """How a duel is fought."""

    objective: Objective
    slack: float = 1.3
    resolution: float = 0.01
    first_rung: int = 1
    seed: int = 0


@dataclass(slots=True)
class Duel:
    """A challenger, the tasks it is to meet the incumbent on, in their order, and how many it meets now."""

    challenger: int
    order: list[int] = field(default_factory=list)
    rung: int = 1


@dataclass(frozen=True, slots=True)
class Balance:
    """The sums of a rung: what both count for, and the tasks on which the challenger is not settled."""

    incumbent: float
    challenger: float
    open: tuple[int, ...]


def open_duel(challenger: int, known: Scores, incumbent: Scores, rules: Rules) -> Duel:
    """Begin with the tasks that the challenger knows already, and enough of them for it to have a chance.

    On a task that takes the incumbent no measurable time nobody can be seen to be faster.
    """
    common = [task for task in incumbent if task in known]
    fewest = max(rules.first_rung, len(common))
    duel = Duel(challenger, common, fewest)
    extend(duel, incumbent, rules)
    to_beat = 0.0
    for n, task in enumerate(duel.order, start=1):
        to_beat += rules.objective.charge(incumbent[task], limit=rules.objective.ceiling)
        if n >= fewest and rules.slack * to_beat > rules.resolution:
            duel.rung = n
            break
    return duel


def extend(duel: Duel, incumbent: Scores, rules: Rules) -> None:
    """Append the tasks that the incumbent has gained, in random order."""
    if len(duel.order) < len(incumbent):
        new = sorted(incumbent.keys() - set(duel.order))
        rng = np.random.default_rng([rules.seed, _PURPOSE, duel.challenger, len(duel.order)])
        duel.order += [new[i] for i in rng.permutation(len(new))]


def limit_of(score: Score, level: float) -> float:
    """Return where costs are cut on a task on which the incumbent has this score."""
    return level if score.is_settled(level) else score.cost


def balance(duel: Duel, known: Scores, incumbent: Scores, *, level: float, rules: Rules) -> Balance:
    """Add up the duel's rung."""
    ours = theirs = 0.0
    open_tasks = []
    for task in duel.order[: duel.rung]:
        to_beat = incumbent[task]
        limit = limit_of(to_beat, level)
        theirs += rules.objective.charge(to_beat, limit=limit)
        score = known.get(task)
        if score is not None:
            ours += rules.objective.charge(score, limit=limit)
        if score is None or not score.is_settled(limit):
            open_tasks.append(task)
    return Balance(theirs, ours, tuple(open_tasks))


def margin(sums: Balance, slack: float) -> float:
    """Return what the challenger may still cost on the rung."""
    return inf if isinf(slack) else slack * sums.incumbent - sums.challenger


def judge(duel: Duel, known: Scores, incumbent: Scores, *, level: float, rules: Rules) -> Verdict:
    """Say whether the challenger goes on, and move it to the rung where it does."""
    while True:
        sums = balance(duel, known, incumbent, level=level, rules=rules)
        if sums.open:
            has_lost = margin(sums, rules.slack) <= rules.resolution
            return Verdict.DROP if has_lost else Verdict.GO_ON
        if sums.challenger > sums.incumbent:
            return Verdict.DROP
        if duel.rung >= len(incumbent):
            return Verdict.PROMOTE if sums.challenger < sums.incumbent else Verdict.DROP
        extend(duel, incumbent, rules)
        duel.rung = min(2 * duel.rung, len(incumbent))
