"""Tightrope and its peers on the same recorded solvers.

    make peers                                             fetches SMAC3 and Optuna; for irace see below
    python experiments/peer_contest.py                     all scenarios but the large ones, on all cores
    python experiments/peer_contest.py --scenarios cp-sat-knapsacks --arms tightrope Optuna --seeds 5

Peers are irace, SMAC3, Optuna, and random search with the same race. Everyone may spend the same, worth about
a thousand runs (budgets.py), on the same training instances. Whoever is not installed is left out; irace is
Debian's package r-cran-irace. An interrupted contest goes on where it was.
"""

import argparse
import os
from pathlib import Path

from budgets import budget_of
from catalogue import is_recorded
from peers.contest import ARMS_OF_CONTEST, FEW_SEEDS, compete, why_missing
from peers.report import report
from series import Job, choose, do_series, find_known, make_parser, rows_of

FIRST_SEED = 7000  # smaller ones were used to try things out
N_SEEDS = 30


def main(arguments: list[str] | None = None) -> None:
    options = _parse(arguments)
    known = [name for name in find_known(options) if not is_recorded(name)]  # they keep to no list
    if options.list:
        print("\n".join(known))
        return
    scenarios = choose(options.scenarios, known=known, usual=_is_small)
    lacking = {arm: why_missing(arm) for arm in options.arms}
    for arm, reason in lacking.items():
        if reason:
            print(f"without {arm}: {reason}")
    table = options.out / "peers.csv"
    jobs = [
        Job(name, options.budget or budget_of(name), arm, FIRST_SEED + i)
        for i in range(options.seeds)
        for name in scenarios
        for arm in options.arms
        if lacking[arm] is None and i < FEW_SEEDS.get(arm, options.seeds)
    ]
    os.environ.setdefault("LOKY_MAX_CPU_COUNT", "1")  # SMAC's forest would take all cores for each tuning
    do_series(compete, jobs, table=table, options=options)
    _report(table, jobs)


def _is_small(scenario: str) -> bool:
    """Tell whether it was recorded for this contest: with the others SMAC would take an hour more."""
    return "-large-" not in scenario


def _report(table: Path, jobs: list[Job]) -> None:
    text = report(rows_of(table, jobs=jobs))
    table.with_suffix(".md").write_text(text, encoding="utf-8")
    print(f"\n{text}\nwrote {table} and {table.with_suffix('.md')}")


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = make_parser(__doc__, arms=ARMS_OF_CONTEST, chosen=ARMS_OF_CONTEST)
    parser.set_defaults(seeds=N_SEEDS)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
