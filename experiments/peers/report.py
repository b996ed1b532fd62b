"""What the contest came to: medians, tests, ratios to the best of the others, and overheads."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from arena.report import by_scenario, versus
from arena.summary import (
    SIGNIFICANT,
    Contest,
    Floats,
    best_of,
    chance_of_being_no_worse,
    collect,
)
from table import Row

from peers.contest import FEW_SEEDS, REFERENCE

Contests = Mapping[Contest, Mapping[str, Floats]]
Choice = Callable[[Mapping[str, Floats]], str]  # with whom to compare, given what everyone came to

_N_BOOTSTRAPS = 1000


def report(rows: Sequence[Row]) -> str:
    """Write all that the rows tell, as Markdown."""
    parts = [
        "Medians of the mean cost on the test instances; bold: not significantly worse than the best.",
        by_scenario(rows),
        versus(rows, REFERENCE),
        ratios(collect(rows)),
        overheads(rows),
    ]
    few = {arm: most for arm, most in FEW_SEEDS.items() if any(row["arm"] == arm for row in rows)}
    parts += [
        f"{arm} has {most} seeds at most, for its own CPU time forbids more." for arm, most in few.items()
    ]
    parts += [
        f"{row['arm']} gave up on {row['arena']}, seed {row['seed']}, and the default stayed: {row['note']}"
        for row in rows
        if row["note"]
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def ratios(contests: Contests) -> str:
    """Compare the reference with each of the others and with the best of them, over all scenarios."""
    known = {contest: arms for contest, arms in contests.items() if REFERENCE in arms and len(arms) > 1}
    if not known:
        return ""
    others = dict.fromkeys(arm for arms in known.values() for arm in arms if arm != REFERENCE)
    lines = [
        f"Cost of {REFERENCE} over that of others: geometric mean of the ratios of medians, with 95 % of "
        "bootstraps (scenarios)",
        "",
    ]
    for arm in others:
        common = {contest: arms for contest, arms in known.items() if arm in arms}
        lines.append(f"* {arm}: {_told(common, lambda _, name=arm: name)}")
    lines.append(f"* the best of them on each scenario: {_told(known, _best_of_others)}")
    best = {contest: _best_of_others(arms) for contest, arms in known.items()}
    worse = [
        f"{contest[0]} (than {arm})"
        for contest, arm in best.items()
        if chance_of_being_no_worse(known[contest][REFERENCE], known[contest][arm]) < SIGNIFICANT
    ]
    lines += ["", f"Significantly worse than the best of them on: {', '.join(worse) or 'none'}"]
    return "\n".join(lines)


def overheads(rows: Sequence[Row]) -> str:
    """Make a table of what each arm took: medians over all its tunings."""
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


def _told(contests: Contests, other_of: Choice) -> str:
    """Say the geometric mean of ratios of medians, between which numbers it may well be, and of how many."""
    rng = np.random.default_rng(0)
    drawn = [_ratio(_resample(contests, rng), other_of) for _ in range(_N_BOOTSTRAPS)]
    low, high = np.quantile(drawn, (0.025, 0.975))
    return f"{_ratio(contests, other_of):.3g} [{low:.3g}, {high:.3g}] ({len(contests)})"


def _resample(contests: Contests, rng: np.random.Generator) -> Contests:
    return {
        contest: {arm: rng.choice(costs, len(costs)) for arm, costs in arms.items()}
        for contest, arms in contests.items()
    }


def _ratio(contests: Contests, other_of: Choice) -> float:
    logs = [
        np.log(np.median(arms[REFERENCE]) / np.median(arms[other_of(arms)])) for arms in contests.values()
    ]
    return float(np.exp(np.mean(logs)))
