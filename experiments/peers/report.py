"""Report of the comparison: medians, tests, ratios to the best peer, and overheads."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from lib.arena.report import by_scenario, compare_with
from lib.arena.summary import (
    SIGNIFICANT,
    Floats,
    Group,
    best_of,
    collect,
    p_value_of_worse,
)
from lib.tables import Row

from peers.arms import FEW_SEEDS, REFERENCE

Groups = Mapping[Group, Mapping[str, Floats]]
Choice = Callable[[Mapping[str, Floats]], str]  # the arm to compare with, given all arms' costs

_N_BOOTSTRAPS = 1000


def report(rows: Sequence[Row]) -> str:
    """Return the whole report as Markdown."""
    parts = [
        "Medians of the mean cost on the test instances; bold: not significantly worse than the best.",
        by_scenario(rows),
        compare_with(rows, REFERENCE),
        ratios(collect(rows)),
        overheads(rows),
    ]
    few = {arm: most for arm, most in FEW_SEEDS.items() if any(row["arm"] == arm for row in rows)}
    parts += [
        f"{arm} has at most {most} seeds, because its own CPU time is large." for arm, most in few.items()
    ]
    parts += [
        f"{row['arm']} gave up on {row['arena']}, seed {row['seed']}, and returned the default: {row['note']}"
        for row in rows
        if row["note"]
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def ratios(groups: Groups) -> str:
    """Compare the reference with each peer and with the best peer, over all scenarios."""
    known = {group: arms for group, arms in groups.items() if REFERENCE in arms and len(arms) > 1}
    if not known:
        return ""
    others = dict.fromkeys(arm for arms in known.values() for arm in arms if arm != REFERENCE)
    lines = [
        f"Cost of {REFERENCE} over the cost of a peer: geometric mean of the ratios of medians, with a 95 % "
        "bootstrap interval (number of scenarios)",
        "",
    ]
    for arm in others:
        common = {group: arms for group, arms in known.items() if arm in arms}
        lines.append(f"* {arm}: {_ratio_text(common, lambda _, name=arm: name)}")
    lines.append(f"* the best peer on each scenario: {_ratio_text(known, _best_of_others)}")
    best = {group: _best_of_others(arms) for group, arms in known.items()}
    worse = [
        f"{group[0]} (than {arm})"
        for group, arm in best.items()
        if p_value_of_worse(known[group][REFERENCE], known[group][arm]) < SIGNIFICANT
    ]
    lines += ["", f"Significantly worse than the best peer on: {', '.join(worse) or 'none'}"]
    return "\n".join(lines)


def overheads(rows: Sequence[Row]) -> str:
    """Return a table of each arm's overhead: medians over all its tunings."""
    lines = ["| arm | tunings | CPU ms a run | runs | share of the budget spent |", "| --- " * 5 + "|"]
    for arm in dict.fromkeys(row["arm"] for row in rows):
        mine = [row for row in rows if row["arm"] == arm]
        ms, runs, share = (
            np.median([float(row[key]) for row in mine]) for key in ("cpu_ms_a_run", "n_runs", "share_spent")
        )
        lines.append(f"| {arm} | {len(mine)} | {ms:.3g} | {runs:.0f} | {share:.2f} |")
    return "\n".join(lines)


def _best_of_others(arms: Mapping[str, Floats]) -> str:
    return best_of({arm: costs for arm, costs in arms.items() if arm != REFERENCE})


def _ratio_text(groups: Groups, other_of: Choice) -> str:
    """Return the geometric mean of ratios of medians, its bootstrap interval, and the number of ratios."""
    rng = np.random.default_rng(0)
    drawn = [_ratio(_resample(groups, rng), other_of) for _ in range(_N_BOOTSTRAPS)]
    low, high = np.quantile(drawn, (0.025, 0.975))
    return f"{_ratio(groups, other_of):.3g} [{low:.3g}, {high:.3g}] ({len(groups)})"


def _resample(groups: Groups, rng: np.random.Generator) -> Groups:
    return {
        group: {arm: rng.choice(costs, len(costs)) for arm, costs in arms.items()}
        for group, arms in groups.items()
    }


def _ratio(groups: Groups, other_of: Choice) -> float:
    logs = [np.log(np.median(arms[REFERENCE]) / np.median(arms[other_of(arms)])) for arms in groups.values()]
    return float(np.exp(np.mean(logs)))
