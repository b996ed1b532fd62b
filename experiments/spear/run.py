"""Tune SPEAR for software verification, in simulated time.

    python experiments/spear                        everything (many hours of one core)
    python experiments/spear --quick                a short test with few seeds and arms
    python experiments/spear --processes 2          on two cores
    python experiments/spear --plans 3h --arenas surrogate --arms "slack 1.3" "random search"
    python experiments/spear --validate             cross-validate the surrogate (minutes)
    python experiments/spear --variant 'steep={"slack": 1.05}' --arms steep     any other settings

The environment variable TIGHTROPE_DATA names the folder of the recorded runs. There are two arenas: the
recorded configs with their recorded runs, and the whole space with a surrogate, which is not a forest. The
surrogate is fitted once, within a minute, and kept in the folder --cache.

An interrupted experiment resumes. It writes a table of all tunings, a summary, and a picture.
"""

import argparse
import json
from functools import cache, partial
from pathlib import Path

from lib.arena.arena import Arena
from lib.arena.arms import ARMS, MAIN, NO_CENSORING, RANDOM, Settings
from lib.arena.measure import FRACTIONS, attempt
from lib.arena.picture import draw_boxes
from lib.arena.report import summarise
from lib.spear import find_folder, read_spear, spear_arena
from lib.surrogate.surrogate import CACHE
from lib.tables import Row, append_rows, read_rows, run_jobs, write_rows

from spear.cross_validation import cross_validate
from spear.exact_search import search_exactly
from spear.plans import PLANS
from spear.report import expectations, final_costs, progress

FIRST_SEED = 3000  # smaller seeds were used during development
ARENAS = ("recorded", "surrogate")
QUICK_ARMS = (MAIN, NO_CENSORING, RANDOM)
Job = tuple[str, str, str, int]

_arena = cache(spear_arena)


def main(arguments: list[str] | None = None) -> None:
    options = _parse(arguments)
    if options.validate:
        print(cross_validate(read_spear(find_folder())))
        return
    stem = "spear-quick" if options.quick else "spear"
    table = options.out / f"{stem}.csv"
    done = {(row["arena"], row["plan"], row["arm"], int(row["seed"])) for row in read_rows(table)}
    jobs = [job for job in _jobs(options) if job not in done]
    work = partial(run_job, variants=options.variants, folder=options.cache)
    for kind in options.arenas:
        _arena(kind, folder=options.cache)  # fit the surrogate before processes need it
    run_jobs(work, jobs, path=table, processes=options.processes)
    rows = read_rows(table)
    references = _references(options.out / "spear-references.csv", options)
    write_rows(table.with_name(f"{stem}-summary.csv"), summarise(rows))
    picture = table.with_suffix(".png")
    draw_boxes(rows, picture, references=references)
    print(
        "\nmean cost on the test instances: median [quartiles]; bold: not significantly worse than the best\n"
    )
    print(final_costs(rows))
    print(f"\nmedians after {' / '.join(f'{each:.0%}' for each in FRACTIONS)} of the budget\n")
    print(progress(rows))
    print(expectations(rows))
    for (kind, name), cost in references.items():
        print(f"{kind}: {name} costs {cost:.3g} s on the test instances")
    print(f"wrote {table}, its summary and {picture}")


def run_job(job: Job, *, variants: dict[str, Settings], folder: Path) -> list[Row]:
    """Make one tuning."""
    kind, plan, arm, seed = job
    settings = {**ARMS, **variants}[arm]
    record = attempt(_arena(kind, folder=folder), settings, budget=PLANS[plan].budget_s, seed=seed)
    return [{"arena": kind, "plan": plan, "arm": arm, "seed": seed, **record}]


def _jobs(options: argparse.Namespace) -> list[Job]:
    """Return the jobs seed by seed, so that an interrupted experiment covers all arms."""
    jobs = []
    for plan in ("3h",) if options.quick else options.plans:
        arms = options.arms or (QUICK_ARMS if options.quick else PLANS[plan].arms)
        n_seeds = options.seeds or (2 if options.quick else PLANS[plan].n_seeds)
        for seed in range(FIRST_SEED, FIRST_SEED + n_seeds):
            jobs += [(kind, plan, arm, seed) for kind in options.arenas for arm in arms]
    return jobs


def _references(path: Path, options: argparse.Namespace) -> dict[tuple[str, str], float]:
    """Return the test costs of the default and of an exact search, computed once."""
    known = {row["arena"] for row in read_rows(path)}
    for kind in options.arenas:
        if kind not in known:
            append_rows(path, _reference_rows(kind, _arena(kind, folder=options.cache)))
    return {(row["arena"], row["name"]): float(row["test_cost"]) for row in read_rows(path)}


def _reference_rows(kind: str, arena: Arena) -> list[Row]:
    found = {"the default": arena.default, "exact search": search_exactly(arena)}
    return [
        {
            "arena": kind,
            "name": name,
            "train_cost": arena.train_cost(each),
            "test_cost": arena.test_cost(each),
        }
        for name, each in found.items()
    ]


def _read_variant(text: str) -> tuple[str, Settings]:
    name, _, settings = text.partition("=")
    try:
        return name, dict(json.loads(settings))
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} does not have the form 'name={{\"slack\": 1.2}}'"
        ) from None


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=Path("out"), help="folder of the results")
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder of the fitted surrogate")
    parser.add_argument("--seeds", type=int, help="tunings of each arm, instead of the plan's number")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--arenas", nargs="+", choices=ARENAS, default=ARENAS, metavar="ARENA")
    parser.add_argument("--plans", nargs="+", choices=PLANS, default=tuple(PLANS), metavar="PLAN")
    parser.add_argument("--arms", nargs="+", metavar="ARM", help="only these")
    parser.add_argument("--variant", dest="variants", action="append", default=[], type=_read_variant)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--validate", action="store_true")
    options = parser.parse_args(arguments)
    options.variants = dict(options.variants)
    unknown = set(options.arms or ()) - set(ARMS) - set(options.variants)
    if unknown:
        parser.error(f"no such arm: {', '.join(sorted(unknown))}; there are {', '.join(ARMS)}")
    return options
