"""Care: how many tasks the incumbent needs, given noise and tails."""

from collections.abc import Collection

_FEWEST_EFFECTIVE, _MOST_FIRST = 3.0, 30  # effective tasks that an opening wants, and where it gives up
_MOST_RATE = 0.3  # tasks for each challenger
_CALM = 1.0  # noise^2 x tasks / effective tasks at which care begins to rise


def wants_opening(costs: Collection[float], *, first_tasks: int) -> bool:
    """Whether the default needs more tasks before the first challenger."""
    n = len(costs)
    return n < first_tasks or (n < _MOST_FIRST and effective_tasks(costs) < _FEWEST_EFFECTIVE)


def rate_of_tasks(costs: Collection[float], *, noise: float, least: float, is_contested: bool) -> float:
    """Return how many tasks the incumbent gains for each challenger.

    Where tasks are alike and comparisons precise, haste is best: `least`. The rate rises with the variance of
    a comparison over as many tasks. It is high while a challenger leads, but not by enough.
    """
    if is_contested:
        return max(least, _MOST_RATE)
    if not costs:
        return least
    variance = noise**2 * len(costs) / max(1.0, effective_tasks(costs))
    return max(least, min(_MOST_RATE, least * variance / _CALM))


def effective_tasks(costs: Collection[float]) -> float:
    """Return how many tasks of equal cost would tell as much as tasks with these costs."""
    squares = sum(cost * cost for cost in costs)
    return sum(costs) ** 2 / squares if squares > 0.0 else float(len(costs))
