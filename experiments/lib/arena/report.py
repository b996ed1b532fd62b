"""Tables of the tunings' results."""

from collections.abc import Sequence

import numpy as np

from lib.arena.summary import Quartiles, collect, find_good, p_value_of_worse
from lib.tables import Row


def summarise(rows: Sequence[Row]) -> list[Row]:
    """Return one row for each group and arm."""
    summary: list[Row] = []
    train, overhead = collect(rows, key="train_cost"), collect(rows, key="cpu_ms_a_run")
    n_runs, n_configs = collect(rows, key="n_runs"), collect(rows, key="n_configs")
    for group, arms in collect(rows).items():
        good = find_good(arms)
        for arm, costs in arms.items():
            whole = Quartiles.of(costs)
            row: Row = {"arena": group[0], "plan": group[1], "arm": arm, "n_seeds": costs.size}
            row |= {"median": whole.median, "low": whole.low, "high": whole.high, "mean": costs.mean()}
            row |= {"good": int(arm in good), "train_median": np.median(train[group][arm])}
            row |= {
                "n_runs": np.median(n_runs[group][arm]),
                "n_configs": np.median(n_configs[group][arm]),
            }
            row["cpu_ms_a_run"] = np.median(overhead[group][arm])
            summary.append(row)
    return summary


def by_scenario(rows: Sequence[Row]) -> str:
    """Return a table of median test costs: a row for each arena, a column for each arm, good ones in bold."""
    groups = collect(rows)
    arms = list(dict.fromkeys(arm for known in groups.values() for arm in known))
    lines = [" | ".join(["| scenario", *arms, "n |"]), "| --- " * (len(arms) + 2) + "|"]
    for (arena, _), known in groups.items():
        good = find_good(known)
        medians = {arm: f"{np.median(costs):.3g}" for arm, costs in known.items()}
        cells = [f"**{medians[arm]}**" if arm in good else medians.get(arm, "") for arm in arms]
        lines.append(" | ".join([f"| {arena}", *cells, f"{max(map(len, known.values()))} |"]))
    return "\n".join(lines)


def compare_with(rows: Sequence[Row], reference: str) -> str:
    """Compare the other arms of each group with the reference: ratios of medians and p values."""
    lines = [f"against {reference!r}: ratio of medians (p value of {reference!r} costing more)"]
    for (arena, _), arms in collect(rows).items():
        if reference not in arms:
            continue
        base = arms[reference]
        found = [
            f"{arm} {np.median(costs) / np.median(base):.2f} ({p_value_of_worse(base, costs):.2g})"
            for arm, costs in arms.items()
            if arm != reference
        ]
        lines.append(f"  {arena}: {', '.join(found)}")
    return "\n".join(lines)
