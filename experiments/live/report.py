"""Report of whether live and simulated tunings lead to the same conclusions."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, permutations

import numpy as np
from lib.arena.summary import SIGNIFICANT, Floats, Group, collect, p_value_of_worse
from lib.tables import Row
from scipy.stats import spearmanr

from live.measure import BY_ARENA, BY_CLOCK, BY_COUNT, LIVE, SIMULATED, UNTUNED, column

_FEWEST = 3  # configs needed for a rank correlation
_JUDGES = {LIVE: BY_CLOCK, SIMULATED: BY_ARENA}


def report(rows: Sequence[Row], untuned: Sequence[Row]) -> str:
    """Return the whole report as Markdown."""
    parts = [
        "Medians of the mean cost on the test instances, as multiples of the default's: in CPU seconds for "
        "live tunings, by the arena for simulated ones.",
        medians(rows),
        "\n".join(f"* {line}" for line in agreements(rows)),
        "Rank correlations of mean costs on the test instances, over different configs. A config found on a "
        "surrogate was partly selected by the surrogate's errors, which biases against agreement; random "
        "configs have no such bias.",
        rank_correlations(rows, untuned),
        efforts(rows),
    ]
    return "\n\n".join(parts) + "\n"


def medians(rows: Sequence[Row]) -> str:
    """Return a table with a row for each scenario, budget and way of tuning, and a column for each arm."""
    arms = list(dict.fromkeys(row["arm"] for row in rows))
    lines = [
        " | ".join(["| scenario", "tuned", *arms, "from best to worst", "n |"]),
        "| --- " * (len(arms) + 4) + "|",
    ]
    found = {kind: _costs(rows, kind) for kind in _JUDGES}
    for group in found[LIVE]:
        for kind in _JUDGES:
            costs = found[kind][group]
            cells = [f"{np.median(costs[arm]):.3g}" if arm in costs else "" for arm in arms]
            n_seeds = max(map(len, costs.values()))
            lines.append(" | ".join([f"| {', '.join(group)}", kind, *cells, order(costs), f"{n_seeds} |"]))
    return "\n".join(lines)


def order(costs: Mapping[str, Floats]) -> str:
    """Return the arms from best to worst by their medians, with a sign between them."""
    centres = {arm: float(np.median(costs[arm])) for arm in costs}
    arms = sorted(centres, key=lambda arm: (centres[arm], arm))
    signs = [" = " if centres[one] == centres[next_] else " < " for one, next_ in pairwise(arms)]
    return "".join(part for pair in zip(arms, [*signs, ""], strict=True) for part in pair)


def agreements(rows: Sequence[Row]) -> list[str]:
    """Return whether the arms' order agrees, which arms differ significantly, and how well medians agree."""
    live, simulated = (_costs(rows, kind) for kind in (LIVE, SIMULATED))
    lines = []
    for group in live:
        same = "the same" if order(live[group]) == order(simulated[group]) else "another"
        lines.append(f"{', '.join(group)}: {same} order live and simulated")
        lines += [
            f"{', '.join(group)}: {better} is better than {worse}, "
            f"p = {_p_value(simulated[group], better, worse):.2g} simulated, "
            f"{_p_value(live[group], better, worse):.2g} live"
            for better, worse in permutations(live[group], 2)
            if any(_p_value(known[group], better, worse) < SIGNIFICANT for known in (live, simulated))
        ]
    for scenario in _scenarios(rows):
        pair = [np.array(list(_medians_of(scenario, costs))) for costs in (live, simulated)]
        if text := _rank_correlation((pair[0], pair[1])):
            lines.append(f"{scenario}: rank correlation of all {len(pair[0])} pairs of medians {text}")
    return lines


def _p_value(arms: Mapping[str, Floats], better: str, worse: str) -> float:
    return p_value_of_worse(arms[worse], arms[better])


def _medians_of(scenario: str, costs: Mapping[Group, Mapping[str, Floats]]) -> Iterator[float]:
    for (arena, _), arms in costs.items():
        if arena == scenario:
            yield from (float(np.median(each)) for each in arms.values())


def rank_correlations(rows: Sequence[Row], untuned: Sequence[Row]) -> str:
    """Return a table of rank correlations between judges, by scenario and by how configs were found."""
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
    """Return Spearman's coefficient; empty if there are too few ranks."""
    if len(pair[0]) < _FEWEST or any(np.ptp(each) == 0.0 for each in pair):
        return ""
    return f"{spearmanr(*pair).statistic:.2f}"


def efforts(rows: Sequence[Row]) -> str:
    """Return a table of runs, failures and wall time of the tunings."""
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


def describe_row(row: Row) -> str:
    """Return a row's costs as one line, as multiples of the default's cost."""
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


def _costs(rows: Sequence[Row], kind: str) -> dict[Group, dict[str, Floats]]:
    return collect(rows, key=column(kind, _JUDGES[kind]))
