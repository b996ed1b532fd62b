"""Is censoring worth it? The paper's Table 1 and Figure 3, with solvers that anyone can install.

    python experiments/table1.py                       all scenarios, on all cores
    python experiments/table1.py --quick               few seeds and short tunings (10 minutes)
    python experiments/table1.py --list                which scenarios there are, and why others are missing
    python experiments/table1.py --scenarios cp-sat-knapsacks --arms "slack 1.3" "no censoring" --seeds 20

Each scenario is a solver whose runs were recorded once, in deterministic units of cost. Tunings see training
instances only, in simulated time; what they return is judged on the test instances. A tuning may spend as
much as 1000 runs of the default config. An interrupted experiment goes on where it was.
"""

import argparse
import os
from functools import cache, partial
from pathlib import Path

from arena.arena import Arena
from arena.arms import ARMS, NO_CENSORING, PAPER
from arena.measure import attempt
from arena.picture import draw_boxes
from arena.report import by_scenario, summarise, versus
from arena.surrogate import CACHE
from catalogue import RECORDINGS, find_scenarios
from table import Row, do_jobs, read_rows, write_rows

FIRST_SEED = 5000  # smaller ones were used to try things out
N_SEEDS, N_QUICK_SEEDS = 10, 3
BUDGET, QUICK_BUDGET = 1000, 250  # in runs of the default config
Job = tuple[str, int, str, int]  # scenario, budget, arm, seed


def main(arguments: list[str] | None = None) -> None:
    options = _parse(arguments)
    catalogue = find_scenarios(options.recordings, cache=options.cache)
    for name, reason in catalogue.missing.items():
        print(f"without {name}: {reason}")
    if options.list:
        print("\n".join(catalogue.arenas))
        return
    scenarios = _chosen(list(catalogue.arenas), options.scenarios)
    table = options.out / ("table1-quick.csv" if options.quick else "table1.csv")
    done = {
        (row["arena"], int(row["plan"].split()[0]), row["arm"], int(row["seed"])) for row in read_rows(table)
    }
    jobs = [job for job in _jobs(scenarios, options) if job not in done]
    for name in dict.fromkeys(job[0] for job in jobs):
        _arena(name, options.recordings, options.cache)  # fitted before processes need it
    work = partial(run_job, recordings=options.recordings, folder=options.cache)
    do_jobs(work, jobs, path=table, processes=options.processes)
    _report(table, scenarios)


def run_job(job: Job, *, recordings: Path, folder: Path) -> list[Row]:
    """Make one attempt."""
    name, budget, arm, seed = job
    arena = _arena(name, recordings, folder)
    record = attempt(arena, ARMS[arm], budget=budget * arena.train_cost(arena.default), seed=seed)
    found = {"default_cost": arena.default_cost_test, **record}
    return [{"arena": name, "plan": f"{budget} runs", "arm": arm, "seed": seed, **found}]


@cache
def _arena(name: str, recordings: Path, folder: Path) -> Arena:
    return find_scenarios(recordings, cache=folder).arenas[name]()


def _jobs(scenarios: list[str], options: argparse.Namespace) -> list[Job]:
    """List seed by seed, so that an interrupted experiment has something of every arm."""
    n_seeds = options.seeds or (N_QUICK_SEEDS if options.quick else N_SEEDS)
    budget = options.budget or (QUICK_BUDGET if options.quick else BUDGET)
    return [
        (name, budget, arm, seed)
        for seed in range(FIRST_SEED, FIRST_SEED + n_seeds)
        for name in scenarios
        for arm in options.arms
    ]


def _chosen(known: list[str], wanted: list[str] | None) -> list[str]:
    """Return what is wanted; if nothing was said, all but few recorded configs."""
    unknown = set(wanted or ()) - set(known)
    if unknown:
        raise SystemExit(f"no such scenario: {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    return wanted or [name for name in known if not name.endswith(", recorded") or name.startswith("SPEAR")]


def _report(table: Path, scenarios: list[str]) -> None:
    rows = [row for row in read_rows(table) if row["arena"] in scenarios]
    if not rows:
        raise SystemExit("there is nothing to tune on: record something first (see experiments/record.py)")
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
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=Path("out"), help="folder of the results")
    parser.add_argument("--recordings", type=Path, default=RECORDINGS, help="folder of the recordings")
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder of fitted surrogates")
    parser.add_argument("--scenarios", nargs="+", metavar="NAME", help="only these")
    parser.add_argument("--arms", nargs="+", choices=ARMS, default=PAPER, metavar="ARM")
    parser.add_argument("--seeds", type=int, help="attempts of each arm")
    parser.add_argument("--budget", type=int, help="of a tuning, in runs of the default config")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--list", action="store_true")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
