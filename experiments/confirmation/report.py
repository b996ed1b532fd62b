"""Whether live and simulated tunings lead to the same conclusions."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from arena.summary import Floats, collect
from scipy.stats import spearmanr
from table import Row

from confirmation.measure import BY_ARENA, BY_CLOCK, BY_COUNT, LIVE, SIMULATED, column

_FEWEST = 3  # configs that have ranks worth correlating
_JUDGES = {LIVE: BY_CLOCK, SIMULATED: BY_ARENA}


def report(rows: Sequence[Row]) -> str:
    """Write all that the rows tell, as Markdown."""
    parts = [
        "Medians of the mean cost on the test instances, as multiples of the default's: live tunings in CPU "
        "seconds, simulated ones as their arena judges them.",
        medians(rows),
        "\n".join(f"* {line}" for line in agreements(rows)),
        efforts(rows),
    ]
    return "\n\n".join(parts) + "\n"


def medians(rows: Sequence[Row]) -> str:
    """Make a table with a line for each scenario and way of tuning, and a column for each arm."""
    arms = list(dict.fromkeys(row["arm"] for row in rows))
    lines = [
        " | ".join(["| scenario", "tuned", *arms, "from best to worst", "n |"]),
        "| --- " * (len(arms) + 4) + "|",
    ]
    for scenario in _scenarios(rows):
        for kind in _JUDGES:
            costs = _costs(rows, scenario, kind)
            cells = [f"{np.median(costs[arm]):.3g}" if arm in costs else "" for arm in arms]
            n_seeds = max(map(len, costs.values()))
            lines.append(" | ".join([f"| {scenario}", kind, *cells, order(costs), f"{n_seeds} |"]))
    return "\n".join(lines)


def order(costs: Mapping[str, Floats]) -> str:
    """Return the arms from best to worst by their medians, with a sign between them."""
    centres = {arm: float(np.median(costs[arm])) for arm in costs}
    arms = sorted(centres, key=lambda arm: (centres[arm], arm))
    signs = [" = " if centres[one] == centres[next_] else " < " for one, next_ in pairwise(arms)]
    return "".join(part for pair in zip(arms, [*signs, ""], strict=True) for part in pair)


def agreements(rows: Sequence[Row]) -> list[str]:
    """Say of each scenario whether arms come in the same order, and how alike configs are ranked."""
    lines = []
    for scenario in _scenarios(rows):
        live, simulated = (order(_costs(rows, scenario, kind)) for kind in _JUDGES)
        same = "the same order of arms" if live == simulated else "another order of arms"
        ranked = rank_correlations([row for row in rows if row["arena"] == scenario])
        lines.append(f"{scenario}: {same} live and simulated; {ranked}")
    return lines


def rank_correlations(rows: Sequence[Row]) -> str:
    """Say how alike final configs are ranked by what was judged, however they were found."""
    points = judged_all_ways(rows)
    how_many = f"{len(points)} different final config{'' if len(points) == 1 else 's'}"
    if len(points) < _FEWEST or (np.ptp(points, axis=0) == 0.0).any():
        return f"{how_many}: too few to correlate ranks"
    by_clock, by_count, by_arena = points.T
    found = [
        f"{spearmanr(one, other).statistic:.2f} {text}"
        for one, other, text in (
            (by_clock, by_arena, "of CPU time with the arena's costs"),
            (by_clock, by_count, "of CPU time with the solver's counter"),
            (by_count, by_arena, "of the counter with the arena's costs"),
        )
    ]
    return f"{how_many}, rank correlation {', '.join(found)}"


def judged_all_ways(rows: Sequence[Row]) -> Floats:
    """Return for each final config its costs by the clock, by the solver's counter and by the arena."""
    found: dict[str, list[list[float]]] = {}
    for row in rows:
        for kind in _JUDGES:
            costs = [float(row[column(kind, judge)]) for judge in (BY_CLOCK, BY_COUNT, BY_ARENA)]
            found.setdefault(row[f"{kind}_config"], []).append(costs)
    return np.array([np.mean(costs, axis=0) for costs in found.values()])


def efforts(rows: Sequence[Row]) -> str:
    """Make a table of what live tunings took."""
    lines = [
        "| scenario | default | ceiling | live runs | simulated runs | failures | wall time of a tuning |",
        "| --- " * 7 + "|",
    ]
    for scenario in _scenarios(rows):
        mine = [row for row in rows if row["arena"] == scenario]
        default_s, ceiling_s, live, simulated, wall_s = (
            np.median([float(row[key]) for row in mine])
            for key in ("default_s", "ceiling_s", "live_runs", "simulated_runs", "live_wall_s")
        )
        n_failed = sum(int(row["live_failures"]) for row in mine)
        lines.append(
            f"| {scenario} | {default_s:.3g} s | {ceiling_s:.3g} s | {live:.0f} | {simulated:.0f} "
            f"| {n_failed} | {wall_s:.0f} s |"
        )
    return "\n".join(lines)


def said_of(row: Row) -> str:
    """Say in short what a live tuning and its counterpart came to."""
    found = [f"{kind} {float(row[column(kind, judge)]):.3g}" for kind, judge in _JUDGES.items()]
    return f"times the default's cost: {', '.join(found)}"


def _scenarios(rows: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(row["arena"] for row in rows))


def _costs(rows: Sequence[Row], scenario: str, kind: str) -> dict[str, Floats]:
    mine = [row for row in rows if row["arena"] == scenario]
    (costs,) = collect(mine, key=column(kind, _JUDGES[kind])).values()
    return costs
