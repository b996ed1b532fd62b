"""Care: when the incumbent gains a task, given noise and tails."""

from collections.abc import Collection

from tightrope.race.race import Race

_OPENING, _LONG_OPENING = 0.05, 0.25  # shares of the budget that the first tasks may use
_FEWEST_FIRST = 3  # tasks that may use the larger share
_FEWEST_EFFECTIVE, _MOST_FIRST = 3.0, 30  # effective tasks that an opening wants, and where it gives up
_MOST_RATE = 0.3  # tasks for each challenger
_CALM = 1.0  # noise^2 x tasks / effective tasks at which care begins to rise


def must_defend(race: Race, *, n_defences: int, n_duels: int, spent: float) -> bool:
    """Whether the incumbent gains a task: several at first, then a share of one for each challenger."""
    tactics, costs = race.rules.tactics, race.to_beat.values()
    most = tactics.opening * race.rules.objective.ceiling
    if not race.has_belief:
        wants_more = n_defences < tactics.first_tasks and spent < most
        return wants_more or n_defences <= tactics.defence * n_duels
    n = len(costs)
    if n < _FEWEST_FIRST and spent < _LONG_OPENING * race.budget:
        return True
    if spent < min(most, _OPENING * race.budget) and (
        n < tactics.first_tasks or (n < _MOST_FIRST and effective_tasks(costs) < _FEWEST_EFFECTIVE)
    ):
        return True
    rate = rate_of_tasks(costs, noise=race.terms.noise, least=tactics.defence)
    return n_defences <= (_MOST_RATE if race.is_contested else rate) * n_duels


def rate_of_tasks(costs: Collection[float], *, noise: float, least: float) -> float:
    """Return how many tasks the incumbent gains for each challenger.

    Where tasks are alike and comparisons precise, haste is best: `least`. The rate rises with the variance of
    a comparison over as many tasks.
    """
    if not costs:
        return least
    variance = noise**2 * len(costs) / max(1.0, effective_tasks(costs))
    return max(least, min(_MOST_RATE, least * variance / _CALM))


def effective_tasks(costs: Collection[float]) -> float:
    """Return how many tasks of equal cost would tell as much as tasks with these costs."""
    squares = sum(cost * cost for cost in costs)
    return sum(costs) ** 2 / squares if squares > 0.0 else float(len(costs))
