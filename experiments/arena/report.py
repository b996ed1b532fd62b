"""Tables of what was found."""

from collections.abc import Mapping, Sequence

import numpy as np
from table import Row

from arena.arms import MAIN, NO_CENSORING, RANDOM
from arena.measure import FRACTIONS
from arena.summary import (
    Contest,
    Floats,
    Quartiles,
    chance_of_being_no_worse,
    collect,
    find_good,
)

CLAIMS = ((MAIN, NO_CENSORING), (MAIN, RANDOM))  # who is expected to be better than whom


def summarise(rows: Sequence[Row]) -> list[Row]:
    """One row for each contest and arm."""
    summary: list[Row] = []
    train, overhead = collect(rows, key="train_cost"), collect(rows, key="cpu_ms_a_run")
    n_runs, n_configs = collect(rows, key="n_runs"), collect(rows, key="n_configs")
    for contest, arms in collect(rows).items():
        good = find_good(arms)
        for arm, costs in arms.items():
            whole = Quartiles.of(costs)
            row: Row = {"arena": contest[0], "plan": contest[1], "arm": arm, "n_seeds": costs.size}
            row |= {"median": whole.median, "low": whole.low, "high": whole.high, "mean": costs.mean()}
            row |= {"good": int(arm in good), "train_median": np.median(train[contest][arm])}
            row |= {
                "n_runs": np.median(n_runs[contest][arm]),
                "n_configs": np.median(n_configs[contest][arm]),
            }
            row["cpu_ms_a_run"] = np.median(overhead[contest][arm])
            summary.append(row)
    return summary


def markdown(rows: Sequence[Row]) -> str:
    """Make a table of test costs: medians and quartiles, bold if not significantly worse than the best."""
    contests = collect(rows)
    cells = {contest: _cells(arms) for contest, arms in contests.items()}
    return _table([f"{arena}, {plan}" for arena, plan in contests], cells)


def progress(rows: Sequence[Row]) -> str:
    """Make a table of median test costs after fractions of the budget."""
    parts = {fraction: collect(rows, key=f"test_cost_{fraction:g}") for fraction in FRACTIONS}
    cells: dict[Contest, dict[str, str]] = {}
    for contest, arms in collect(rows).items():
        medians = {arm: [np.median(parts[each][contest][arm]) for each in FRACTIONS] for arm in arms}
        cells[contest] = {arm: " / ".join(f"{each:.3g}" for each in found) for arm, found in medians.items()}
    return _table([f"{arena}, {plan}" for arena, plan in cells], cells)


def _cells(arms: Mapping[str, Floats]) -> dict[str, str]:
    good = find_good(arms)
    texts = {arm: str(Quartiles.of(costs)) for arm, costs in arms.items()}
    return {arm: f"**{text}**" if arm in good else text for arm, text in texts.items()}


def _table(titles: Sequence[str], cells: Mapping[Contest, Mapping[str, str]]) -> str:
    arms = dict.fromkeys(arm for known in cells.values() for arm in known)
    lines = [" | ".join(["| arm", *titles, ""]), "| --- " * (1 + len(cells)) + "|"]
    lines += [" | ".join([f"| {arm}", *(known.get(arm, "") for known in cells.values()), ""]) for arm in arms]
    return "\n".join(line.rstrip() for line in lines)


def claims(rows: Sequence[Row]) -> str:
    """Say of what was expected whether it is so."""
    lines = ["p values of what was expected (Mann-Whitney U, one-sided):"]
    for (arena, plan), arms in collect(rows).items():
        for better, worse in CLAIMS:
            if better in arms and worse in arms:
                p = chance_of_being_no_worse(arms[worse], arms[better])
                lines.append(f"  {arena}, {plan}: {worse!r} costs more than {better!r}: p = {p:.2g}")
    return "\n".join(lines)


def by_scenario(rows: Sequence[Row]) -> str:
    """Make a table of median test costs: a line for each arena, a column for each arm, good ones in bold."""
    contests = collect(rows)
    arms = list(dict.fromkeys(arm for known in contests.values() for arm in known))
    lines = [" | ".join(["| scenario", *arms, "n |"]), "| --- " * (len(arms) + 2) + "|"]
    for (arena, _), known in contests.items():
        good = find_good(known)
        medians = {arm: f"{np.median(costs):.3g}" for arm, costs in known.items()}
        cells = [f"**{medians[arm]}**" if arm in good else medians.get(arm, "") for arm in arms]
        lines.append(" | ".join([f"| {arena}", *cells, f"{max(map(len, known.values()))} |"]))
    return "\n".join(lines)


def versus(rows: Sequence[Row], reference: str) -> str:
    """Say of each contest how the other arms compare with one of them: ratio of medians, and p value."""
    lines = [f"against {reference!r}: ratio of medians (p value of {reference!r} costing more)"]
    for (arena, _), arms in collect(rows).items():
        if reference not in arms:
            continue
        base = arms[reference]
        found = [
            f"{arm} {np.median(costs) / np.median(base):.2f} ({chance_of_being_no_worse(base, costs):.2g})"
            for arm, costs in arms.items()
            if arm != reference
        ]
        lines.append(f"  {arena}: {', '.join(found)}")
    return "\n".join(lines)
