"""A challenger against the incumbent, on a growing part of the incumbent's tasks.

=========  ==========================================================================================
symbol     meaning
=========  ==========================================================================================
to_beat    the incumbent's objective cost, by task
rung       number of tasks S of the current comparison: the first ones in the duel's order
margin     r = slack x incumbent(S) - challenger(done part of S): what the challenger may still cost
=========  ==========================================================================================
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from math import inf, isinf

import numpy as np

from tightrope.race.objective import Objective, Score
from tightrope.race.tactics import Tactics
from tightrope.race.terms import Terms

_PURPOSE = 2  # of this module's random numbers
_DEFAULT_TACTICS = Tactics()

Scores = Mapping[int, Score]
Charges = Mapping[int, float]


class Verdict(Enum):
    """What follows from a duel's costs so far."""

    GO_ON = "go on"
    DROP = "drop"
    WAIT = "wait"  # it leads on all tasks, but not by enough
    PROMOTE = "promote"


@dataclass(frozen=True, slots=True)
class Rules:
    """The fixed settings of all duels; `resolution` is the smallest cap that makes sense."""

    objective: Objective
    slack: float = 1.3
    resolution: float = 0.01
    tactics: Tactics = _DEFAULT_TACTICS
    seed: int = 0


@dataclass(slots=True)
class Duel:
    """A challenger, the order of the tasks to compare on, and how many of them the current rung has."""

    challenger: int
    order: list[int]
    rung: int


@dataclass(frozen=True, slots=True)
class Balance:
    """Cost sums of both configs on a rung, and the tasks on which the challenger is not settled."""

    incumbent: float
    challenger: float
    open: tuple[int, ...]


def open_duel(challenger: int, known: Scores, to_beat: Charges, rules: Rules) -> Duel:
    """Start with the tasks that the challenger has run before, or with informative and cheap ones.

    Most tasks are cheap and say little; a few make up most of the mean and are expensive to fail on. A new
    challenger first runs tasks that cost the incumbent at most its mean, until they add up to the stake.
    The first rung must cost the incumbent measurable time, or no challenger could be seen to be faster.
    """
    common = [task for task in to_beat if task in known]
    duel = Duel(challenger, list(common), max(1, len(common)))
    if not to_beat:  # a rescued journal may lack the runs that the challenger was to beat
        return duel
    extend(duel, to_beat, rules)
    mean = sum(to_beat.values()) / len(to_beat)
    ranked = duel.order
    if rules.tactics.stake > 0 and not common:
        ranked = sorted(ranked, key=lambda task: to_beat[task] > mean)
    fewest, total = max(rules.tactics.first_rung, len(common)), 0.0
    for n, task in enumerate(ranked, start=1):
        total += to_beat[task]
        duel.rung = n
        if n >= fewest and total >= rules.tactics.stake * mean and rules.slack * total > rules.resolution:
            break
    first = set(ranked[: duel.rung])
    duel.order = ranked[: duel.rung] + [task for task in duel.order if task not in first]
    return duel


def extend(duel: Duel, to_beat: Charges, rules: Rules) -> None:
    """Append the incumbent's new tasks, in random order."""
    if len(duel.order) < len(to_beat):
        new = sorted(to_beat.keys() - set(duel.order))
        rng = np.random.default_rng([rules.seed, _PURPOSE, duel.challenger, len(duel.order)])
        duel.order += [new[i] for i in rng.permutation(len(new))]


def reopen_duel(challenger: int, known: Scores, to_beat: Charges, rules: Rules) -> Duel:
    """Give a known challenger a second chance: twice as many tasks as it has run."""
    common = [task for task in to_beat if task in known]
    duel = Duel(challenger, common, min(2 * len(common), len(to_beat)))
    extend(duel, to_beat, rules)
    return duel


def balance(duel: Duel, known: Scores, to_beat: Charges, terms: Terms) -> Balance:
    """Sum the costs of the duel's rung."""
    ours = theirs = 0.0
    open_tasks = []
    for task in duel.order[: duel.rung]:
        theirs += to_beat[task]
        score = known.get(task)
        if score is None:
            open_tasks.append(task)
            continue
        ours += terms.charge(score)
        if not terms.is_settled(score):
            open_tasks.append(task)
    return Balance(theirs, ours, tuple(open_tasks))


def margin(sums: Balance, slack: float) -> float:
    """Return what the challenger may still cost on the rung."""
    return inf if isinf(slack) else slack * sums.incumbent - sums.challenger


def cap_of(score: Score | None, sums: Balance, rules: Rules, terms: Terms) -> float:
    """Return the cap of the challenger's next run, given what is known of it on that task.

    A known bound has been charged already; to learn more, the run must exceed it.
    """
    used = 0.0 if score is None else score.cost
    return min(margin(sums, rules.slack) + used, terms.ceiling)


def judge(
    duel: Duel, known: Scores, to_beat: Charges, rules: Rules, terms: Terms, *, doubt: float = 1.0
) -> Verdict:
    """Return whether the challenger goes on; advance the duel to the rung where it does."""
    if not duel.order:
        extend(duel, to_beat, rules)
    while True:
        sums = balance(duel, known, to_beat, terms)
        if sums.open:
            has_lost = margin(sums, rules.slack) <= rules.resolution
            return Verdict.DROP if has_lost else Verdict.GO_ON
        if duel.rung >= len(to_beat):
            return _final_verdict(sums, list(to_beat.values()), terms, doubt=doubt)
        if sums.challenger > rules.tactics.tolerance * sums.incumbent:
            return Verdict.DROP
        extend(duel, to_beat, rules)
        duel.rung = min(2 * duel.rung, len(to_beat))


def _final_verdict(sums: Balance, costs: list[float], terms: Terms, *, doubt: float) -> Verdict:
    """Return the verdict on a challenger that has run all tasks of the incumbent, which has these costs."""
    if sums.challenger >= sums.incumbent:
        return Verdict.DROP
    variance = terms.variance(costs)
    is_convincing = terms.is_convincing(sums.challenger, sums.incumbent, variance, doubt=doubt)
    return Verdict.PROMOTE if is_convincing else Verdict.WAIT
