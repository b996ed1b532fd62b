"""Check simulated tunings against live ones: a part of Table 1 with real processes and CPU time.

    make live                                                    two scenarios, on two cores
    python experiments/live --scenarios kissat-large-parity --seeds 5 --budget 400     on its surrogate

Each tuning is made twice, with two slots: live, where solvers run as processes and cost CPU seconds, and in
simulated time on the recording of the same study. Each result is judged both ways on the test instances: by
its CPU time and by the recorded costs. Random configs are judged in the same way. The experiment needs the
solvers and two idle cores. An interrupted experiment resumes; an interrupted live tuning starts again.
"""

import argparse
from collections.abc import Callable
from functools import cache
from pathlib import Path

from lib.arena.arena import Arena
from lib.arena.arms import ARMS, MAIN, NO_CENSORING, PLAIN, RANDOM
from lib.recording.studies import STUDIES
from lib.scenarios import study_of
from lib.series import Attempt, Job, choose_scenarios, list_scenarios, make_parser, rows_for, run_series
from lib.tables import Row, read_rows

from live.measure import UNTUNED, judge_untuned, tune_both_ways
from live.report import describe_row, report
from live.setup import SLOTS, LiveSetup, find_program_of, make_setup
from tightrope.run.executor import usable_cores

SCENARIOS = ("kissat-large-parity, recorded", "clasp-large-circuits, recorded")
ARMS_OF_COMPARISON = (MAIN, RANDOM, NO_CENSORING, PLAIN)
FIRST_SEED = 9300  # smaller seeds were used during development
N_SEEDS, N_UNTUNED = 40, 20
BUDGETS = (80, 150)  # in runs of the default config


def main(arguments: list[str] | None = None) -> None:
    options = _parse(arguments)
    known = [name for name in list_scenarios(options) if study_of(name) in STUDIES]
    if options.list:
        print("\n".join(name for name in known if _can_run(name)))
        return
    wanted = choose_scenarios(options.scenarios, known=known, is_default=SCENARIOS.__contains__)
    scenarios = [name for name in wanted if _can_run(name)]
    if not scenarios:
        raise SystemExit("no scenario can run live: the lines above say what is missing")
    tuned, untuned = options.out / "live.csv", options.out / "live-untuned.csv"
    find_setup = _setups(options)
    seeds = range(FIRST_SEED, FIRST_SEED + options.seeds)
    jobs = [
        Job(name, budget, arm, seed)
        for seed in seeds
        for name in scenarios
        for budget in ([options.budget] if options.budget else BUDGETS)
        for arm in options.arms
    ]
    run_series(_with_progress(tune_both_ways, find_setup), jobs, table=tuned, options=options)
    seeds = range(FIRST_SEED, FIRST_SEED + options.untuned)
    others = [Job(name, 0, UNTUNED, seed) for name in scenarios for seed in seeds]
    run_series(_with_progress(judge_untuned, find_setup), others, table=untuned, options=options)
    _report(tuned, untuned, jobs)


def _can_run(scenario: str) -> bool:
    """Return whether the solver is installed; if not, print what to install."""
    try:
        find_program_of(study_of(scenario))
    except SystemExit as reason:
        print(f"without {scenario}: {reason}")
        return False
    return True


def _setups(options: argparse.Namespace) -> Callable[[str], LiveSetup]:
    """Return a function that finds a scenario's setup; instances and the default's cost are made once."""

    @cache
    def find_setup(name: str) -> LiveSetup:
        setup = make_setup(name, recordings=options.recordings, folder=options.out / "live" / name)
        costs = f"a run of the default costs {setup.default_s:.3g} s, the ceiling is {setup.ceiling_s:.3g} s"
        print(f"{name}: {costs}", flush=True)
        return setup

    return lambda scenario: find_setup(study_of(scenario))


def _with_progress(
    work: Callable[[Arena, LiveSetup, Job], Row], find_setup: Callable[[str], LiveSetup]
) -> Attempt:
    """Return a function that does a job and prints its result."""

    def attempt(arena: Arena, job: Job) -> Row:
        setup = find_setup(job.scenario)
        print(f"{job.scenario}, {job.plan}, {job.arm}, seed {job.seed}", end="", flush=True)
        row = work(arena, setup, job)
        print(f": {describe_row(row)}", flush=True)
        return row

    return attempt


def _report(tuned: Path, untuned: Path, jobs: list[Job]) -> None:
    text = report(rows_for(tuned, jobs=jobs), read_rows(untuned))
    tuned.with_suffix(".md").write_text(text, encoding="utf-8")
    print(f"\n{text}\nwrote {tuned}, {untuned} and {tuned.with_suffix('.md')}")


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = make_parser(__doc__, arms=ARMS, chosen=ARMS_OF_COMPARISON)
    parser.add_argument("--untuned", type=int, default=N_UNTUNED, help="number of random configs to judge")
    parser.set_defaults(seeds=N_SEEDS, processes=1)
    options = parser.parse_args(arguments)
    if options.processes != 1:
        parser.error("--processes must be 1: parallel tunings slow each other down and spoil the measurement")
    if usable_cores() < SLOTS:
        parser.error(f"live tunings need {SLOTS} cores")
    return options
