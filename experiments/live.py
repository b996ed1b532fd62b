"""Do simulated tunings tell the truth? Some of Table 1 again, with real processes and CPU time.

    make live                                                    two scenarios, on two cores
    python experiments/live.py --scenarios kissat-large-parity --seeds 5 --budget 400     on its surrogate

Each tuning is made twice, with two slots: live, where solvers run as processes and cost CPU seconds, and in
simulated time on the same study's recording. Either result is judged both ways on the test instances: by its
CPU time, and by what was recorded; and so are random configs. It needs the solvers, and two cores that nobody
else uses. An interrupted experiment goes on where it was; a live tuning that was
interrupted is begun again.
"""

import argparse
from collections.abc import Callable
from functools import cache
from pathlib import Path

from arena.arena import Arena
from arena.arms import ARMS, MAIN, NO_CENSORING, PLAIN, RANDOM
from catalogue import study_of
from confirmation.measure import UNTUNED, confirm, judge_untuned
from confirmation.report import report, said_of
from confirmation.site import SLOTS, Site, find_program_of, open_site
from recording.study import STUDIES
from series import Attempt, Job, choose, do_series, find_known, make_parser, rows_of
from table import Row, read_rows

from tightrope.run.executor import usable_cores

SCENARIOS = ("kissat-large-parity, recorded", "clasp-large-circuits, recorded")
ARMS_OF_COMPARISON = (MAIN, RANDOM, NO_CENSORING, PLAIN)
FIRST_SEED = 9300  # smaller ones were used to try things out
N_SEEDS, N_UNTUNED = 40, 20
BUDGETS = (80, 150)  # in runs of the default config


def main(arguments: list[str] | None = None) -> None:
    options = _parse(arguments)
    known = [name for name in find_known(options) if study_of(name) in STUDIES]
    if options.list:
        print("\n".join(name for name in known if _can_run(name)))
        return
    wanted = choose(options.scenarios, known=known, usual=SCENARIOS.__contains__)
    scenarios = [name for name in wanted if _can_run(name)]
    if not scenarios:
        raise SystemExit("there is nothing that could be run live: see above what is missing")
    tuned, untuned = options.out / "live.csv", options.out / "live-untuned.csv"
    find_site = _sites(options)
    seeds = range(FIRST_SEED, FIRST_SEED + options.seeds)
    jobs = [
        Job(name, budget, arm, seed)
        for seed in seeds
        for name in scenarios
        for budget in ([options.budget] if options.budget else BUDGETS)
        for arm in options.arms
    ]
    do_series(_aloud(confirm, find_site), jobs, table=tuned, options=options)
    seeds = range(FIRST_SEED, FIRST_SEED + options.untuned)
    others = [Job(name, 0, UNTUNED, seed) for name in scenarios for seed in seeds]
    do_series(_aloud(judge_untuned, find_site), others, table=untuned, options=options)
    _report(tuned, untuned, jobs)


def _can_run(scenario: str) -> bool:
    """Tell whether the solver is here; if not, say what to install."""
    try:
        find_program_of(study_of(scenario))
    except SystemExit as reason:
        print(f"without {scenario}: {reason}")
        return False
    return True


def _sites(options: argparse.Namespace) -> Callable[[str], Site]:
    """Return what finds a scenario's site: instances are written, and the default is measured, once."""

    @cache
    def find_site(name: str) -> Site:
        site = open_site(name, recordings=options.recordings, folder=options.out / "live" / name)
        said = f"a run of the default costs {site.default_s:.3g} s, the ceiling is {site.ceiling_s:.3g} s"
        print(f"{name}: {said}", flush=True)
        return site

    return lambda scenario: find_site(study_of(scenario))


def _aloud(work: Callable[[Arena, Site, Job], Row], find_site: Callable[[str], Site]) -> Attempt:
    """Return what does a job and says so."""

    def attempt(arena: Arena, job: Job) -> Row:
        site = find_site(job.scenario)
        print(f"{job.scenario}, {job.plan}, {job.arm}, seed {job.seed}", end="", flush=True)
        row = work(arena, site, job)
        print(f": {said_of(row)}", flush=True)
        return row

    return attempt


def _report(tuned: Path, untuned: Path, jobs: list[Job]) -> None:
    text = report(rows_of(tuned, jobs=jobs), read_rows(untuned))
    tuned.with_suffix(".md").write_text(text, encoding="utf-8")
    print(f"\n{text}\nwrote {tuned}, {untuned} and {tuned.with_suffix('.md')}")


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = make_parser(__doc__, arms=ARMS, chosen=ARMS_OF_COMPARISON)
    parser.add_argument(
        "--untuned", type=int, default=N_UNTUNED, help="random configs that are judged as well"
    )
    parser.set_defaults(seeds=N_SEEDS, processes=1)
    options = parser.parse_args(arguments)
    if options.processes != 1:
        parser.error("--processes: tunings side by side would slow each other down and be measured wrongly")
    if usable_cores() < SLOTS:
        parser.error(f"live tunings have {SLOTS} slots, and there are fewer cores than that")
    return options


if __name__ == "__main__":
    main()
