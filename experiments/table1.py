"""Is censoring worth it? The paper's Table 1 and Figure 3, with solvers that anyone can install.

    python experiments/table1.py                       all scenarios, on all cores
    python experiments/table1.py --quick               few seeds and short tunings (10 minutes)
    python experiments/table1.py --list                which scenarios there are, and why others are missing
    python experiments/table1.py --scenarios cp-sat-knapsacks --arms "slack 1.3" "no censoring" --seeds 20

Each scenario is a solver whose runs were recorded once, in deterministic units of cost. Tunings see training
instances only, in simulated time; what they return is judged on the test instances. A tuning may spend what
is worth about a thousand runs (budgets.py). An interrupted experiment goes on where it was.
"""

import argparse
from pathlib import Path

from arena.arena import Arena
from arena.arms import ARMS, NO_CENSORING, PAPER
from arena.measure import attempt
from arena.picture import draw_boxes
from arena.report import by_scenario, summarise, versus
from budgets import QUICK_SHARE, budget_of
from catalogue import is_recorded
from series import Job, choose, do_series, find_known, make_parser, rows_of
from table import Row, write_rows

FIRST_SEED = 5000  # smaller ones were used to try things out
N_SEEDS, N_QUICK_SEEDS = 30, 3


def main(arguments: list[str] | None = None) -> None:
    options = _parse(arguments)
    known = find_known(options)
    if options.list:
        print("\n".join(known))
        return
    scenarios = choose(options.scenarios, known=known, usual=_is_usual)
    table = options.out / ("table1-quick.csv" if options.quick else "table1.csv")
    jobs = _jobs(scenarios, options)
    do_series(tune_once, jobs, table=table, options=options)
    _report(table, jobs)


def _is_usual(scenario: str) -> bool:
    """Tell whether there is much to search in: most recordings are of few configs."""
    return not is_recorded(scenario) or scenario.startswith("SPEAR")


def tune_once(arena: Arena, job: Job) -> Row:
    """Make one attempt."""
    budget = job.budget * arena.train_cost(arena.default)
    return {
        "default_cost": arena.default_cost_test,
        **attempt(arena, ARMS[job.arm], budget=budget, seed=job.seed),
    }


def _jobs(scenarios: list[str], options: argparse.Namespace) -> list[Job]:
    """List seed by seed, so that an interrupted experiment has something of every arm."""
    n_seeds = options.seeds or (N_QUICK_SEEDS if options.quick else N_SEEDS)
    share = QUICK_SHARE if options.quick else 1.0
    return [
        Job(name, options.budget or budget_of(name, share=share), arm, seed)
        for seed in range(FIRST_SEED, FIRST_SEED + n_seeds)
        for name in scenarios
        for arm in options.arms
    ]


def _report(table: Path, jobs: list[Job]) -> None:
    rows = rows_of(table, jobs=jobs)
    write_rows(table.with_name(f"{table.stem}-summary.csv"), summarise(rows))
    picture = table.with_suffix(".png")
    references = {(row["arena"], "the default"): float(row["default_cost"]) for row in rows}
    draw_boxes(rows, picture, references=references)
    text = f"{by_scenario(rows)}\n\n{versus(rows, NO_CENSORING)}\n"
    table.with_suffix(".md").write_text(text, encoding="utf-8")
    print("\nmedians of the mean cost on the test instances; bold: not significantly worse than the best\n")
    print(text)
    print(f"wrote {table}, its summary, {table.with_suffix('.md')} and {picture}")


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = make_parser(__doc__, arms=ARMS, chosen=PAPER)
    parser.add_argument("--quick", action="store_true", help="few seeds and short tunings")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
