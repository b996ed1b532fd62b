"""Compare tightrope with its peers on the same recorded solvers.

    make peers                                      installs SMAC3 and Optuna first; for irace see below
    python experiments/peers                        all scenarios but the large ones, on all cores
    python experiments/peers --scenarios cp-sat-knapsacks --arms tightrope Optuna --seeds 5

The peers are irace, SMAC3, Optuna, and random search with the same race. All have the same budget, enough for
about a thousand runs (lib/budgets.py), and the same training instances. A peer that is not installed is left
out; irace is Debian's package r-cran-irace. An interrupted comparison resumes.
"""

import argparse
import os
from pathlib import Path

from lib.budgets import budget_of
from lib.scenarios import is_recorded
from lib.series import Job, choose_scenarios, list_scenarios, make_parser, rows_for, run_series

from peers.arms import ALL_ARMS, FEW_SEEDS, tune_once, why_missing
from peers.report import report

FIRST_SEED = 7000  # smaller seeds were used during development
N_SEEDS = 30


def main(arguments: list[str] | None = None) -> None:
    options = _parse(arguments)
    known = [name for name in list_scenarios(options) if not is_recorded(name)]  # peers take no list
    if options.list:
        print("\n".join(known))
        return
    scenarios = choose_scenarios(options.scenarios, known=known, is_default=_is_small)
    missing = {arm: why_missing(arm) for arm in options.arms}
    for arm, reason in missing.items():
        if reason:
            print(f"without {arm}: {reason}")
    table = options.out / "peers.csv"
    jobs = [
        Job(name, options.budget or budget_of(name), arm, FIRST_SEED + i)
        for i in range(options.seeds)
        for name in scenarios
        for arm in options.arms
        if missing[arm] is None and i < FEW_SEEDS.get(arm, options.seeds)
    ]
    os.environ.setdefault("LOKY_MAX_CPU_COUNT", "1")  # else SMAC3's forest uses all cores in each tuning
    run_series(tune_once, jobs, table=table, options=options)
    _report(table, jobs)


def _is_small(scenario: str) -> bool:
    """Return whether the scenario is small: on the large ones SMAC3 would take an hour more."""
    return "-large-" not in scenario


def _report(table: Path, jobs: list[Job]) -> None:
    text = report(rows_for(table, jobs=jobs))
    table.with_suffix(".md").write_text(text, encoding="utf-8")
    print(f"\n{text}\nwrote {table} and {table.with_suffix('.md')}")


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = make_parser(__doc__, arms=ALL_ARMS, chosen=ALL_ARMS)
    parser.set_defaults(seeds=N_SEEDS)
    return parser.parse_args(arguments)
