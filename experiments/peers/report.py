"""What the contest came to: medians, tests, ratios to the best of the others, and overheads."""

from collections.abc import Mapping, Sequence

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


def ratios(contests: Mapping[Contest, Mapping[str, Floats]]) -> str:
    """Compare the reference with each of the others and with the best of them, over all scenarios."""
    known = {contest: arms for contest, arms in contests.items() if REFERENCE in arms and len(arms) > 1}
    if not known:
        return ""
    others = dict.fromkeys(arm for arms in known.values() for arm in arms if arm != REFERENCE)
    lines = [
        f"Cost of {REFERENCE} over that of others: geometric mean of the ratios of medians (scenarios)",
        "",
    ]
    lines += [
        f"* {arm}: {_ratio(known, {each: arm for each in known if arm in known[each]})}" for arm in others
    ]
    best = {contest: best_of(_without_reference(arms)) for contest, arms in known.items()}
    lines.append(f"* the best of them on each scenario: {_ratio(known, best)}")
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


def _without_reference(arms: Mapping[str, Floats]) -> dict[str, Floats]:
    return {arm: costs for arm, costs in arms.items() if arm != REFERENCE}


def _ratio(contests: Mapping[Contest, Mapping[str, Floats]], others: Mapping[Contest, str]) -> str:
    """Return the geometric mean of ratios of medians, and over how many scenarios."""
    logs = [
        np.log(np.median(contests[contest][REFERENCE]) / np.median(contests[contest][arm]))
        for contest, arm in others.items()
    ]
    return f"{np.exp(np.mean(logs)):.3g} ({len(logs)})"
