"""Tables of test costs, during and after the tunings, and tests of the expected differences."""

from collections.abc import Mapping, Sequence

import numpy as np
from lib.arena.arms import MAIN, NO_CENSORING, RANDOM
from lib.arena.measure import FRACTIONS
from lib.arena.summary import Floats, Group, Quartiles, collect, find_good, p_value_of_worse
from lib.tables import Row

EXPECTATIONS = ((MAIN, NO_CENSORING), (MAIN, RANDOM))  # the first arm is expected to beat the second


def final_costs(rows: Sequence[Row]) -> str:
    """Return a table of medians and quartiles, bold if not significantly worse than the best."""
    groups = collect(rows)
    cells = {group: _cells(arms) for group, arms in groups.items()}
    return _table([f"{arena}, {plan}" for arena, plan in groups], cells)


def progress(rows: Sequence[Row]) -> str:
    """Return a table of median test costs after fractions of the budget."""
    parts = {fraction: collect(rows, key=f"test_cost_{fraction:g}") for fraction in FRACTIONS}
    cells: dict[Group, dict[str, str]] = {}
    for group, arms in collect(rows).items():
        medians = {arm: [np.median(parts[each][group][arm]) for each in FRACTIONS] for arm in arms}
        cells[group] = {arm: " / ".join(f"{each:.3g}" for each in found) for arm, found in medians.items()}
    return _table([f"{arena}, {plan}" for arena, plan in cells], cells)


def expectations(rows: Sequence[Row]) -> str:
    """Return the p value of each expectation in each group."""
    lines = ["p values of the expected differences (Mann-Whitney U, one-sided):"]
    for (arena, plan), arms in collect(rows).items():
        for better, worse in EXPECTATIONS:
            if better in arms and worse in arms:
                p = p_value_of_worse(arms[worse], arms[better])
                lines.append(f"  {arena}, {plan}: {worse!r} costs more than {better!r}: p = {p:.2g}")
    return "\n".join(lines)


def _cells(arms: Mapping[str, Floats]) -> dict[str, str]:
    good = find_good(arms)
    texts = {arm: str(Quartiles.of(costs)) for arm, costs in arms.items()}
    return {arm: f"**{text}**" if arm in good else text for arm, text in texts.items()}


def _table(titles: Sequence[str], cells: Mapping[Group, Mapping[str, str]]) -> str:
    arms = dict.fromkeys(arm for known in cells.values() for arm in known)
    lines = [" | ".join(["| arm", *titles, ""]), "| --- " * (1 + len(cells)) + "|"]
    lines += [" | ".join([f"| {arm}", *(known.get(arm, "") for known in cells.values()), ""]) for arm in arms]
    return "\n".join(line.rstrip() for line in lines)
