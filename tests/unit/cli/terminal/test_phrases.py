"""Where a tuning stands, and how it ended, in words."""

from dataclasses import replace
from math import inf

import pytest

from tightrope import Scenario
from tightrope.budget import Budget
from tightrope.cli.terminal import ending, phrases
from tightrope.cli.terminal.phrases import Kind
from tightrope.compare.contrast import Claim, Contrast, Estimate
from tightrope.compare.progress import Progress, ProgressTracker
from tightrope.errors import Finding, Severity
from tightrope.records import (
    INTERRUPTED,
    Basis,
    Config,
    Outcome,
    Run,
    Status,
    StopKind,
    StopReason,
    Task,
    Trial,
)
from tightrope.run import CommandTarget, JsonLine

TIME, COST = Kind("CPU time", is_time=True), Kind("CPU time", is_time=False)


def progress_of(**changes: object) -> Progress:
    nothing = ProgressTracker(Scenario(space={"x": (0.0, 1.0)}, ceiling=10.0, budget=100.0)).progress()
    return replace(nothing, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("contrast", "text"),
    [
        (Contrast(Claim.SAME, 4), "it is the default"),
        (
            Contrast(Claim.RATIO, 20, 4.12, (3.2, 5.3)),
            "4.12x faster than the default (95 %: 3.2x to 5.3x) on 20 common tasks",
        ),
        (
            Contrast(Claim.AT_LEAST, 20, 3.1, (2.5, inf), n_cut=6),
            ">= 3.1x faster than the default (95 %: 2.5x or more; 6 of its runs cut) on 20 common tasks",
        ),
        (
            Contrast(Claim.RATIO, 20, 0.5, (0.4, 0.8)),
            "2x slower than the default (95 %: 1.25x to 2.5x) on 20 common tasks",
        ),
        (
            Contrast(Claim.RATIO, 2, 4.0),
            "4x faster than the default (too few for an interval) on 2 common tasks",
        ),
        (
            Contrast(Claim.RATIO, 9, 4.0, (2.0, 8.0), is_score=True),
            "score 4x lower than the default's (95 %: 2x to 8x) on 9 common tasks",
        ),
        (Contrast(Claim.OPEN, 0), "comparison with the default undecided: no common task"),
        (
            Contrast(Claim.OPEN, 3, n_cut=3),
            "comparison with the default undecided: too many runs were capped on 3 common tasks",
        ),
    ],
)
def test_a_comparison_claims_no_more_than_is_known(contrast: Contrast, text: str) -> None:
    assert phrases.compared(contrast, TIME) == text


def test_a_cost_that_is_no_time_is_less_not_faster() -> None:
    assert phrases.compared(Contrast(Claim.RATIO, 9, 4.0), COST, briefly=True) == "4x less than the default"


@pytest.mark.parametrize(
    ("cost", "text"),
    [
        (Estimate(inf, 0, is_bound=True), "not run yet"),
        (Estimate(1.92, 1), "1.92 s on 1 task"),
        (
            Estimate(300.0, 8, (200.0, 450.0), n_unsolved=2),
            "5 m 00 s on 8 tasks (3 m 20 s to 7 m 30 s), 2 not solved",
        ),
        (Estimate(1.92, 3, is_bound=True), ">= 1.92 s on 3 tasks"),
    ],
)
def test_an_estimate_says_what_it_rests_on(cost: Estimate, text: str) -> None:
    assert phrases.estimated(cost, TIME) == text


@pytest.mark.parametrize(
    ("budget", "text"),
    [
        (Budget(wall="1h"), "41:07 of 1:00:00"),
        (Budget(cost=600.0), "5 m 00 s of 10 m 00 s CPU time"),
        (Budget(wall="1h", runs=100), "90 of 100 runs"),
    ],
)
def test_progress_is_told_by_the_limit_that_will_be_reached_first(budget: Budget, text: str) -> None:
    progress = progress_of(spent=300.0, n_runs=95, n_lost=5)
    assert phrases.used_up(budget, progress, TIME, wall_s=2467.0) == text


def test_effort_tells_what_went_wrong_and_what_was_spared_at_most() -> None:
    progress = progress_of(n_runs=1204, n_capped=855, n_failed=3, n_lost=1, spared=35280.0)
    assert phrases.effort(progress, TIME) == (
        "1 204 runs, 71 % cut short, 3 failed, 1 lost, up to 9 h 48 m spared"
    )


def test_nothing_is_spared_by_a_cost_that_is_printed_at_the_end() -> None:
    progress = progress_of(n_runs=10, n_capped=5, spared=700.0)
    assert phrases.effort(progress, COST) == "10 runs, 50 % cut short"


def test_runs_whose_cost_is_printed_spend_time() -> None:
    progress = progress_of(spent=300.0)
    assert COST.amount(300.0) == "5 m 00 s of CPU time"
    assert phrases.used_up(Budget(cost=600.0), progress, COST, wall_s=1.0) == "5 m 00 s of 10 m 00 s CPU time"


def test_coverage_tells_what_the_incumbent_has_not_seen() -> None:
    progress = progress_of(n_seen=3, n_used=5, n_instances=18)
    assert phrases.coverage(progress) == "incumbent on 3 of 18 instances, 5 used in all"


@pytest.mark.parametrize(
    ("status", "note", "how"),
    [
        (Status.DONE, "", "done, 2.00 s"),
        (Status.CAPPED, "", "cut at 2.00 s"),
        (Status.FAILED, "exit code 3\nstderr: no licence", "failed: exit code 3"),
        (Status.LOST, "its worker died", "lost: its worker died"),
    ],
)
def test_a_run_is_told_by_how_it_ended(status: Status, note: str, how: str) -> None:
    run = Run(Trial(7, Config({"x": 0.5}), 4.0, Task("a.cnf", 3)), Outcome(7, status, 2.0, 2.0, note=note))
    assert phrases.ended(run, 57, TIME) == f"run 7  #57  a.cnf seed 3  cap 4.00 s  {how}"


@pytest.mark.parametrize(
    ("target", "kind"),
    [
        (CommandTarget("true"), TIME),
        (CommandTarget("true", clock="wall"), Kind("run time", is_time=True)),
        (CommandTarget("true", answer=JsonLine()), COST),
        (None, Kind("cost", is_time=False, spends_time=False)),
    ],
)
def test_the_kind_of_cost_follows_from_the_target(target: object, kind: Kind) -> None:
    assert Kind.of(Scenario(space={"x": (0, 9)}, ceiling=1.0, budget=1.0, target=target)) == kind


def test_the_last_sentence_tells_winner_gain_cost_and_reason() -> None:
    progress = progress_of(
        number=57,
        config=Config({"x": 0.2}),
        cost=Estimate(1.92, 38, (1.6, 2.3)),
        against_default=Contrast(Claim.RATIO, 20, 4.12, (3.2, 5.3)),
        n_runs=100,
        n_capped=71,
        n_configs=60,
        spent=250.0,
    )
    assert ending.sentence(progress, TIME, wall_s=3600.0, reason="3600 s have passed") == (
        "#57 of 60 configs: 4.12x faster than the default (95 %: 3.2x to 5.3x) on 20 common tasks"
        "; it costs 1.92 s on 38 tasks (1.60 s to 2.30 s).\n"
        "It took 100 runs, 71 % cut short; 4 m 10 s of CPU time in 1 h 00 m. "
        "Stopped because 3600 s have passed."
    )


def test_each_warning_is_told_once_with_its_remedy() -> None:
    claims = [Finding("T01", Severity.WARNING, f"trial {i}", "it claims 9 s", "mend it") for i in range(3)]
    bound = Finding("R04", Severity.WARNING, "incumbent #5", "x = 1 is the largest allowed", "widen it")
    assert ending.warnings([*claims, bound]) == [
        "  R04  incumbent #5: x = 1 is the largest allowed",
        "       widen it",
        "  T01  trial 0: it claims 9 s (and 2 more like it)",
        "       mend it",
        "  more about each:  tightrope explain R04",
    ]


def test_no_warnings_are_no_lines() -> None:
    assert ending.warnings([]) == []


@pytest.mark.parametrize(
    ("claim", "has_test", "command"),
    [
        (Claim.RATIO, True, "tightrope validate runs/a"),
        (Claim.RATIO, False, "tightrope best runs/a"),
        (Claim.SAME, True, "tightrope resume runs/a --budget +1h"),
    ],
)
def test_the_next_command_is_a_sensible_one(claim: Claim, has_test: bool, command: str) -> None:
    progress = progress_of(against_default=Contrast(claim, 5, 2.0))
    told = ending.next_command(
        "runs/a",
        progress,
        Budget(wall="1h"),
        reason=StopReason(StopKind.TIME, "3600 s have passed"),
        has_test=has_test,
    )
    assert told == command


def test_more_budget_is_not_offered_where_it_changes_nothing() -> None:
    progress = progress_of(against_default=Contrast(Claim.SAME, 5, 1.0))
    reason = StopReason(StopKind.EXHAUSTED, "every config has been tried")
    told = ending.next_command("runs/a", progress, Budget(wall="1h"), reason=reason, has_test=True)
    assert told == "tightrope best runs/a"


def test_a_model_that_has_not_chosen_anybody_yet_is_not_spoken_of() -> None:
    progress = progress_of(basis=Basis.MODEL, n_configs=1)
    assert phrases.source(progress) == "no challenger has been run yet"


@pytest.mark.parametrize(
    ("budget", "why", "text"),
    [
        (Budget(wall="8h"), StopReason(StopKind.TIME, "28800 s have passed"), "its time of 8 h 00 m is up"),
        (
            Budget(cost=600.0),
            StopReason(StopKind.COST, "the cost budget of 600 is spent"),
            "its budget of 10 m 00 s of CPU time is spent",
        ),
        (Budget(runs=30), StopReason(StopKind.RUNS, "30 runs are done"), "30 runs are done"),
        (Budget(wall="8h"), INTERRUPTED, "it was interrupted"),
    ],
)
def test_the_reason_is_worded_for_people(budget: Budget, why: StopReason, text: str) -> None:
    assert phrases.reason(why, budget, TIME) == text
