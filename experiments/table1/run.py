"""Measure what censoring gains: the paper's Table 1 and Figure 3, with solvers that anyone can install.

    python experiments/table1                       all scenarios, on all cores
    python experiments/table1 --quick               few seeds and short tunings (10 minutes)
    python experiments/table1 --list                list the scenarios, and why others are missing
    python experiments/table1 --scenarios cp-sat-knapsacks --arms "slack 1.3" "no censoring" --seeds 20

Each scenario is a solver whose runs were recorded once, in deterministic units of cost. Tunings run in
simulated time on the training instances; their results are judged on the test instances. The budget of a
tuning is enough for about a thousand runs (lib/budgets.py). An interrupted experiment resumes.
"""

import argparse
from pathlib import Path

from lib.arena.arena import Arena
from lib.arena.arms import ARMS, NO_CENSORING, PAPER
from lib.arena.measure import attempt
from lib.arena.picture import draw_boxes
from lib.arena.report import by_scenario, compare_with, summarise
from lib.budgets import QUICK_SHARE, budget_of
from lib.scenarios import is_recorded
from lib.series import Job, choose_scenarios, list_scenarios, make_parser, rows_for, run_series
from lib.tables import Row, write_rows

FIRST_SEED = 5000  # smaller seeds were used during development
N_SEEDS, N_QUICK_SEEDS = 30, 3


def main(arguments: list[str] | None = None) -> None:
    options = _parse(arguments)
    known = list_scenarios(options)
    if options.list:
        print("\n".join(known))
        return
    scenarios = choose_scenarios(options.scenarios, known=known, is_default=_is_default)
    table = options.out / ("table1-quick.csv" if options.quick else "table1.csv")
    jobs = _jobs(scenarios, options)
    run_series(tune_once, jobs, table=table, options=options)
    _report(table, jobs)


def _is_default(scenario: str) -> bool:
    """Return whether the scenario has many configs: most recordings have few."""
    return not is_recorded(scenario) or scenario.startswith("SPEAR")


def tune_once(arena: Arena, job: Job) -> Row:
    """Make one tuning."""
    budget = job.budget * arena.train_cost(arena.default)
    return {
        "default_cost": arena.default_cost_test,
        **attempt(arena, ARMS[job.arm], budget=budget, seed=job.seed),
    }


def _jobs(scenarios: list[str], options: argparse.Namespace) -> list[Job]:
    """Return the jobs seed by seed, so that an interrupted experiment covers all arms."""
    n_seeds = options.seeds or (N_QUICK_SEEDS if options.quick else N_SEEDS)
    share = QUICK_SHARE if options.quick else 1.0
    return [
        Job(name, options.budget or budget_of(name, share=share), arm, seed)
        for seed in range(FIRST_SEED, FIRST_SEED + n_seeds)
        for name in scenarios
        for arm in options.arms
    ]


def _report(table: Path, jobs: list[Job]) -> None:
    rows = rows_for(table, jobs=jobs)
    write_rows(table.with_name(f"{table.stem}-summary.csv"), summarise(rows))
    picture = table.with_suffix(".png")
    references = {(row["arena"], "the default"): float(row["default_cost"]) for row in rows}
    draw_boxes(rows, picture, references=references)
    text = f"{by_scenario(rows)}\n\n{compare_with(rows, NO_CENSORING)}\n"
    table.with_suffix(".md").write_text(text, encoding="utf-8")
    print("\nmedians of the mean cost on the test instances; bold: not significantly worse than the best\n")
    print(text)
    print(f"wrote {table}, its summary, {table.with_suffix('.md')} and {picture}")


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = make_parser(__doc__, arms=ARMS, chosen=PAPER)
    parser.add_argument("--quick", action="store_true", help="few seeds and short tunings")
    return parser.parse_args(arguments)
