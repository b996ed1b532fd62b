"""Summary of the attempts, as tables and as a comparison with goals."""

from collections.abc import Mapping, Sequence

from lib.tables import Row

from black_box.measure import TOLERANCES
from black_box.summary import Attempts, Interval, collect, ert, pooled_ratio, ratio

BASE = "forest, no censoring"
ONE_DIMENSION = ("bowl", "waves", "cliff")
SMALLEST = min(TOLERANCES)


def summarise(rows: Sequence[Row]) -> list[Row]:
    """Return a row for each problem, arm and tolerance: ERT, success rate, and ratio to the base."""
    summary = []
    for tolerance in TOLERANCES:
        for problem, arms in collect(rows, tolerance=tolerance).items():
            for arm, attempts in arms.items():
                whole = ert(attempts)
                row = {"tolerance": tolerance, "problem": problem, "arm": arm, "n_seeds": attempts.spent.size}
                row |= {"success": round(float(attempts.hit.mean()), 3)}
                row |= {"ert": whole.value, "low": whole.low, "high": whole.high}
                compared = ratio(attempts, arms[BASE]) if BASE in arms else Interval(*[float("nan")] * 3)
                row |= {"ratio": compared.value, "ratio_low": compared.low, "ratio_high": compared.high}
                summary.append(row)
    return summary


def markdown(rows: Sequence[Row], *, tolerance: float) -> str:
    """Return a table of ERT and, where it is below 100 %, the share of successful attempts."""
    by_problem = collect(rows, tolerance=tolerance)
    arms = dict.fromkeys(arm for known in by_problem.values() for arm in known)
    lines = [" | ".join(["| arm", *by_problem, ""]), "| --- " * (1 + len(by_problem)) + "|"]
    for arm in arms:
        cells = [_cell(known[arm]) if arm in known else "" for known in by_problem.values()]
        lines.append(" | ".join([f"| {arm}", *cells, ""]))
    return "\n".join(line.rstrip() for line in lines)


def _cell(attempts: Attempts) -> str:
    share = float(attempts.hit.mean())
    if share == 0.0:
        return f"never ({_short(attempts.spent.mean())} each)"
    return _short(attempts.ert()) + ("" if share == 1.0 else f" ({share:.0%})")


def _short(number: float) -> str:
    """Return the number with two or three significant digits."""
    return f"{float(f'{number:.3g}'):,.0f}" if number >= 10 else f"{number:.2g}"


def goals(rows: Sequence[Row]) -> str:
    """Return ratios to the base, with goals where they exist."""
    by_problem = collect(rows, tolerance=SMALLEST)
    lines = [
        f"cost to get within {SMALLEST:.0%} of the optimum, as a share of {BASE!r}, with 95 % intervals:"
    ]
    for arm, most in (("forest, doubling", 0.35), ("forest, slack 1.3", 0.35), ("default", 0.15)):
        pairs = _pairs(by_problem, arm, problems=ONE_DIMENSION)
        if pairs:
            lines.append(f"  {arm} on functions of one number: {pooled_ratio(pairs)}; goal: at most {most}")
    for tolerance in sorted(TOLERANCES):
        for problem, arms in collect(rows, tolerance=tolerance).items():
            for base in (BASE, "process, no censoring"):
                if base in arms and "default" in arms:
                    share = ratio(arms["default"], arms[base])
                    lines.append(f"  default on {problem}, within {tolerance:.0%}, against {base!r}: {share}")
    return "\n".join(lines)


def _pairs(
    by_problem: Mapping[str, Mapping[str, Attempts]], arm: str, *, problems: Sequence[str]
) -> list[tuple[Attempts, Attempts]]:
    known = [by_problem[problem] for problem in problems if problem in by_problem]
    return [(arms[arm], arms[BASE]) for arms in known if arm in arms and BASE in arms]
