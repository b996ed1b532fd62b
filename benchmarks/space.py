"""Speed of compiled spaces compared with ConfigSpace's functions, in CPU time of one thread.

Each ratio is the median over five rounds. In each round both are measured one after the other, so that other
load on the machine largely cancels out.
"""

import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
from ConfigSpace import (
    AndConjunction,
    CategoricalHyperparameter,
    Configuration,
    ConfigurationSpace,
    EqualsCondition,
    GreaterThanCondition,
    InCondition,
    NotEqualsCondition,
    UniformFloatHyperparameter,
    UniformIntegerHyperparameter,
)
from ConfigSpace.util import get_one_exchange_neighbourhood
from timing import cpu_s

from tightrope.space import Space, neighbours

ROUNDS = 5
N_CONFIGS = 10_000


def solver_space() -> ConfigurationSpace:
    """Build a space like that of a mixed-integer solver: 76 parameters, of which 13 are conditional.

    55 categorical parameters of 2 to 7 levels, 13 integers of which four have a log scale, 8 log floats.
    """
    switches = [
        CategoricalHyperparameter(f"switch{i:02}", [f"level{j}" for j in range(2 + i % 6)]) for i in range(55)
    ]
    limits = [
        UniformIntegerHyperparameter(f"limit{i:02}", 1, (10, 64, 800)[i % 3], log=i >= 9) for i in range(13)
    ]
    tolerances = [
        UniformFloatHyperparameter(f"tolerance{i}", 10.0 ** (-9 + i), 10.0 ** (-1 + i), log=True)
        for i in range(8)
    ]
    rules = [
        *(EqualsCondition(switches[40 + i], switches[i], "level0") for i in range(4)),
        *(InCondition(limits[i], switches[10 + i], ["level0", "level1"]) for i in range(3)),
        *(NotEqualsCondition(tolerances[i], switches[20 + i], "level1") for i in range(3)),
        GreaterThanCondition(tolerances[3], limits[5], 8),
        EqualsCondition(switches[50], switches[40], "level0"),
        AndConjunction(
            EqualsCondition(switches[51], switches[0], "level0"),
            EqualsCondition(switches[51], switches[1], "level0"),
        ),
    ]
    space = ConfigurationSpace(seed=0)
    space.add(switches, limits, tolerances, rules)
    return space


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    work: str
    ours_s: float
    theirs_s: float
    ratio: float
    goal: float | None

    def __str__(self) -> str:
        """Return a line of Markdown."""
        goal = "" if self.goal is None else f"{self.goal:g}"
        times = f"{self.ours_s * 1e3:.1f} | {self.theirs_s * 1e3:.0f}"
        return f"| {self.work} | {times} | {self.ratio:.1f} | {goal} |"


def compare(
    work: str, ours: Callable[[], object], theirs: Callable[[], object], *, goal: float | None = None
) -> Row:
    times = [(cpu_s(ours), cpu_s(theirs)) for _ in range(ROUNDS)]
    ratio = statistics.median(theirs_s / ours_s for ours_s, theirs_s in times)
    ours_s, theirs_s = (statistics.median(column) for column in zip(*times, strict=True))
    row = Row(work, ours_s, theirs_s, ratio, goal)
    print(row, flush=True)
    return row


def their_neighbours(configs: list[Configuration]) -> Iterator[Configuration]:
    state = np.random.RandomState(0)
    for config in configs:
        yield from get_one_exchange_neighbourhood(config, state)


def main() -> None:
    configspace = solver_space()
    space, rng = Space(configspace), np.random.default_rng(0)
    rows = space.sample(200, rng)
    per_row = len(neighbours(space, rows, rng)[0]) / len(rows)
    starts = rows[: int(1.02 * N_CONFIGS / per_row) + 1]
    assert len(neighbours(space, starts, rng)[0]) >= N_CONFIGS
    configs = [Configuration(configspace, values=space.decode(row)) for row in starts]
    few = space.sample(1000, rng)
    print(f"{space}, {len(configspace.conditional_hyperparameters)} conditional\n")
    print("| work | tightrope, ms | ConfigSpace, ms | ratio | goal |\n| --- | --- | --- | --- | --- |")
    table = [
        compare("sample 10,000 legal configs", lambda: space.sample(N_CONFIGS, rng),
                lambda: configspace.sample_configuration(N_CONFIGS), goal=5),
        compare("10,000 neighbours", lambda: neighbours(space, starts, rng),
                lambda: list(islice(their_neighbours(configs), N_CONFIGS)), goal=10),
        compare("values of 1000 configs as Python objects", lambda: [space.decode(row) for row in few],
                lambda: [dict(config) for config in configspace.sample_configuration(1000)]),
    ]  # fmt: skip
    print("\nThe last ConfigSpace time includes sampling, because its configs cache their decoded values.")
    missed = [row.work for row in table if row.goal is not None and row.ratio < row.goal]
    print("all goals are met" if not missed else f"missed: {'; '.join(missed)}")


if __name__ == "__main__":
    main()
