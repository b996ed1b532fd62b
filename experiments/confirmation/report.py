"""Whether live and simulated tunings lead to the same conclusions."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from arena.summary import Floats, collect
from scipy.stats import spearmanr
from table import Row

from confirmation.measure import BY_ARENA, BY_CLOCK, BY_COUNT, LIVE, SIMULATED, UNTUNED, column

_FEWEST = 3  # configs that have ranks worth correlating
_JUDGES = {LIVE: BY_CLOCK, SIMULATED: BY_ARENA}


def report(rows: Sequence[Row], untuned: Sequence[Row]) -> str:
    """Write all that the rows tell, as Markdown."""
    parts = [
        "Medians of the mean cost on the test instances, as multiples of the default's: live tunings in CPU "
        "seconds, simulated ones as their arena judges them.",
        medians(rows),
        "\n".join(f"* {line}" for line in agreements(rows)),
        "Rank correlations of mean costs on the test instances, of different configs. What was found in "
        "simulated time was chosen for the surrogate's errors, too, which is a bias against agreement; "
        "random configs are free of it.",
        rank_correlations(rows, untuned),
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
    """Say of each scenario whether arms come in the same order."""
    lines = []
    for scenario in _scenarios(rows):
        live, simulated = (order(_costs(rows, scenario, kind)) for kind in _JUDGES)
        lines.append(f"{scenario}: {'the same' if live == simulated else 'another'} order live and simulated")
    return lines


def rank_correlations(rows: Sequence[Row], untuned: Sequence[Row]) -> str:
    """Make a table of how alike judges rank configs, by scenario and by how the configs were found."""
    lines = [
        "| scenario | configs | n | CPU time, arena | CPU time, counter | counter, arena |",
        "| --- " * 6 + "|",
    ]
    groups = {
        "random": (untuned, [UNTUNED]),
        "found live": (rows, [LIVE]),
        "found in simulated time": (rows, [SIMULATED]),
        "found either way": (rows, [LIVE, SIMULATED]),
    }
    for scenario in _scenarios(rows):
        for name, (known, kinds) in groups.items():
            points = judged_all_ways([row for row in known if row["arena"] == scenario], kinds)
            cells = [str(len(points)), *map(_rank_correlation, _pairs(points))]
            lines.append(" | ".join([f"| {scenario}", name, *cells]) + " |")
    return "\n".join(lines)


def judged_all_ways(rows: Sequence[Row], kinds: Sequence[str]) -> Floats:
    """Return for each different config its costs by the clock, by the solver's counter and by the arena."""
    found: dict[str, list[list[float]]] = {}
    for row in rows:
        for kind in kinds:
            costs = [float(row[column(kind, judge)]) for judge in (BY_CLOCK, BY_COUNT, BY_ARENA)]
            found.setdefault(row[f"{kind}_config"], []).append(costs)
    return np.array([np.mean(costs, axis=0) for costs in found.values()]).reshape(-1, 3)


def _pairs(points: Floats) -> list[tuple[Floats, Floats]]:
    by_clock, by_count, by_arena = points.T
    return [(by_clock, by_arena), (by_clock, by_count), (by_count, by_arena)]


def _rank_correlation(pair: tuple[Floats, Floats]) -> str:
    """Return Spearman's coefficient, or nothing where there are too few ranks."""
    if len(pair[0]) < _FEWEST or any(np.ptp(each) == 0.0 for each in pair):
        return ""
    return f"{spearmanr(*pair).statistic:.2f}"


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
    """Say in short how a row's configs were judged, as multiples of the default's cost."""
    words = {BY_CLOCK: "CPU time", BY_COUNT: "counter", BY_ARENA: "arena"}
    found = []
    for kind in (LIVE, SIMULATED, UNTUNED):
        if column(kind, BY_CLOCK) in row:
            costs = [f"{text} {row[column(kind, judge)]:.3g}" for judge, text in words.items()]
            found.append(f"{kind} {', '.join(costs)}")
    wall = f" ({row['live_runs']} live runs in {row['live_wall_s']} s)" if "live_runs" in row else ""
    return "; ".join(found) + wall


def _scenarios(rows: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(row["arena"] for row in rows))


def _costs(rows: Sequence[Row], scenario: str, kind: str) -> dict[str, Floats]:
    mine = [row for row in rows if row["arena"] == scenario]
    (costs,) = collect(mine, key=column(kind, _JUDGES[kind])).values()
    return costs
