"""Outcomes of trials, derived from how a command ended and what it printed."""

from dataclasses import replace
from math import inf

import pytest

from tightrope.errors import Finding, Severity
from tightrope.records import Config, Outcome, Status, Task, Trial
from tightrope.run.answer import ExitCode, JsonLine, Reader
from tightrope.run.convention import ResultLine, SatSolver
from tightrope.run.supervise.report import Ending, Output, Reason
from tightrope.run.verdict import Rules, outcome_from_ending

TRIAL = Trial(5, Config({}), cap=2.0, task=Task("x.cnf", 1))
ENDED = Ending(Reason.EXITED, 0, cpu_s=0.5, wall_s=0.75)


def conclude(
    ending: Ending,
    reader: Reader | None = None,
    *,
    clock: str = "cpu",
    expected: object = None,
    cap: float = 2.0,
) -> Outcome:
    return outcome_and_findings(ending, reader, clock=clock, expected=expected, cap=cap)[0]


def outcome_and_findings(
    ending: Ending,
    reader: Reader | None = None,
    *,
    clock: str = "cpu",
    expected: object = None,
    cap: float = 2.0,
) -> tuple[Outcome, tuple[Finding, ...]]:
    known = {} if expected is None else {"x.cnf": expected}
    rules = Rules(clock, reader or ExitCode(), known)  # type: ignore[arg-type]
    return outcome_from_ending(replace(TRIAL, cap=cap), ending, rules, command=["solver", "x y"])


def printing(text: str, *, cpu_s: float = 0.5) -> Ending:
    return replace(ENDED, stdout=Output(text.encode()), cpu_s=cpu_s)


def test_a_solved_run_costs_the_cpu_time_it_took() -> None:
    assert conclude(ENDED) == Outcome(5, Status.DONE, 0.5, 0.5, wall_s=0.75, cpu_s=0.5)


def test_on_the_wall_clock_a_solved_run_costs_the_time_that_passed() -> None:
    outcome = conclude(ENDED, clock="wall")
    assert (outcome.cost, outcome.spent) == (0.75, 0.75)


def test_a_run_stopped_at_its_cap_costs_at_least_its_cap() -> None:
    outcome = conclude(Ending(Reason.CAP, -15, cpu_s=2.01, wall_s=3.0))
    assert (outcome.status, outcome.cost, outcome.spent) == (Status.CAPPED, 2.0, 2.01)


def test_a_run_that_ends_just_beyond_its_cap_is_capped() -> None:
    outcome = conclude(replace(ENDED, cpu_s=2.001))
    assert (outcome.status, outcome.cost) == (Status.CAPPED, 2.0)


def test_a_failure_has_no_cost_but_is_charged_what_it_took() -> None:
    outcome = conclude(replace(ENDED, exit_code=3, stderr=Output(b"out of luck\n")))
    assert (outcome.status, outcome.cost, outcome.spent) == (Status.FAILED, inf, 0.5)


def test_the_note_of_a_failure_has_cause_command_and_last_words() -> None:
    outcome = conclude(replace(ENDED, exit_code=3, stderr=Output(b"out of luck\n")))
    assert outcome.note == "exit code 3\n$ solver 'x y'\nstderr: out of luck"


@pytest.mark.parametrize(
    ("ending", "why"),
    [
        (
            Ending(Reason.GUARD, -15, cpu_s=0.1, wall_s=10.0),
            "it seems to sleep: it used 0.1 s of CPU time in 10 s",
        ),
        (Ending(Reason.MEMORY, -15, peak_mb=512.0), "it held 512 MB, more than its memory limit"),
        (
            Ending(Reason.UNSTARTED, error_number=2, stage="execute"),
            "cannot be started: No such file or directory",
        ),
    ],
)
def test_sleepers_hogs_and_missing_programs_fail(ending: Ending, why: str) -> None:
    outcome = conclude(ending)
    assert (outcome.status, outcome.cost) == (Status.FAILED, inf)
    assert outcome.note.startswith(why)


def test_a_cancelled_run_is_capped_at_what_it_reached() -> None:
    outcome = conclude(Ending(Reason.CANCELLED, -15, cpu_s=0.7, wall_s=1.0))
    assert (outcome.status, outcome.cost, outcome.note) == (Status.CAPPED, 0.7, "cancelled")


def test_nothing_is_learnt_from_cancelling_a_run_with_a_printed_cost() -> None:
    assert conclude(Ending(Reason.CANCELLED, -15, cpu_s=0.7), JsonLine()).status is Status.LOST


def test_a_run_whose_driver_was_gone_is_lost() -> None:
    assert conclude(Ending(Reason.DRIVER, -9)).status is Status.LOST


def test_a_printed_cost_counts_instead_of_the_time() -> None:
    outcome = conclude(printing('{"cost": 1.25}'), JsonLine())
    assert (outcome.status, outcome.cost, outcome.spent) == (Status.DONE, 1.25, 0.5)


def test_a_printed_cost_beyond_the_cap_is_capped() -> None:
    outcome = conclude(printing('{"cost": 7}'), JsonLine())
    assert (outcome.status, outcome.cost) == (Status.CAPPED, 2.0)


def test_a_run_that_printed_no_cost_in_time_fails() -> None:
    assert conclude(Ending(Reason.CAP, -15, cpu_s=9.0), JsonLine()).status is Status.FAILED


@pytest.mark.parametrize("text", ["s SATISFIABLE", "s UNKNOWN", ""])
def test_a_wrong_or_missing_answer_is_a_failure_and_never_fast(text: str) -> None:
    outcome = conclude(printing(text), SatSolver(), expected="UNSAT")
    assert (outcome.status, outcome.cost) == (Status.FAILED, inf)


def test_an_answer_is_missing_if_the_exit_code_alone_is_read() -> None:
    outcome = conclude(ENDED, expected="UNSAT")
    assert outcome.note.startswith("wrong answer: none, expected UNSAT")


@pytest.mark.parametrize("expected", ["UNSAT", "unsatisfiable"])
def test_a_right_answer_is_done(expected: str) -> None:
    assert conclude(printing("s UNSATISFIABLE"), SatSolver(), expected=expected).status is Status.DONE


@pytest.mark.parametrize(
    ("answer", "status"), [("42", Status.DONE), ("42.00000001", Status.DONE), ("42.1", Status.FAILED)]
)
def test_an_optimum_is_compared_as_a_number(answer: str, status: Status) -> None:
    ending = printing(f'{{"cost": 1, "answer": "{answer}"}}')
    assert conclude(ending, JsonLine(), expected=42).status is status


def test_without_an_expected_answer_none_is_checked() -> None:
    assert conclude(printing("s SATISFIABLE"), SatSolver()).status is Status.DONE


def test_a_timeout_claimed_at_the_cap_is_believed() -> None:
    outcome = conclude(printing("Result for SMAC: TIMEOUT, 2, 0, 0, 1", cpu_s=1.95), ResultLine())
    assert (outcome.status, outcome.cost) == (Status.CAPPED, 2.0)


def test_a_timeout_claimed_early_is_a_failure() -> None:
    outcome = conclude(printing("Result for SMAC: TIMEOUT, 2, 0, 0, 1", cpu_s=0.3), ResultLine())
    assert outcome.status is Status.FAILED
    assert "well before its cap" in outcome.note


def test_a_claimed_time_far_from_the_measured_one_is_a_finding() -> None:
    outcome, findings = outcome_and_findings(
        printing("Result for SMAC: SAT, 0.01, 0, 0, 1", cpu_s=1.5), ResultLine()
    )
    assert outcome.cost == 1.5
    (finding,) = findings
    assert (finding.code, finding.severity, finding.where) == ("T01", Severity.WARNING, "trial 5 on x.cnf")
    assert "it reported 0.01 s, but 1.5 s of cpu time were measured" in finding.message


@pytest.mark.parametrize("claimed", ["0.45", "0.7", "-1"])
def test_a_claimed_time_near_the_measured_one_or_absent_is_no_finding(claimed: str) -> None:
    assert outcome_and_findings(printing(f"Result for SMAC: SAT, {claimed}, 0, 0, 1"), ResultLine())[1] == ()


def test_a_time_of_zero_beside_a_printed_cost_is_no_finding() -> None:
    ending = printing("Result for SMAC: SUCCESS, 0, 0, 1.5, 1", cpu_s=1.5)
    assert outcome_and_findings(ending, ResultLine(quality=True))[1] == ()
    assert [finding.code for finding in outcome_and_findings(ending, ResultLine())[1]] == ["T01"]


@pytest.mark.parametrize("cost", [1.95, 2.0, 7.0])
def test_a_timeout_at_a_printed_cost_near_the_cap_is_accepted(cost: float) -> None:
    outcome = conclude(printing(f'{{"cost": {cost}, "status": "timeout"}}'), JsonLine())
    assert (outcome.status, outcome.cost, outcome.note) == (Status.CAPPED, 2.0, "it reported timeout")


def test_a_timeout_at_a_printed_cost_below_the_cap_is_a_failure() -> None:
    outcome = conclude(printing('{"cost": 1, "status": "timeout"}', cpu_s=1.99), JsonLine())
    assert outcome.status is Status.FAILED
    assert outcome.note.startswith("it reported timeout after 1, well before its cap of 2\n")


def test_a_timeout_without_the_cost_that_should_be_printed_is_a_failure() -> None:
    outcome = conclude(printing('{"status": "timeout"}', cpu_s=1.99), JsonLine())
    assert outcome.status is Status.FAILED
    assert "printed no cost" in outcome.note


@pytest.mark.parametrize(("count", "code"), [("leftover", "T02"), ("stubborn", "T04")])
def test_processes_left_behind_are_a_finding(count: str, code: str) -> None:
    (finding,) = outcome_and_findings(replace(ENDED, **{count: 3}))[1]
    assert finding.code == code
    assert "3 of its processes" in finding.message


def test_a_target_that_asks_to_abort_is_an_error_to_be_shown() -> None:
    outcome, (finding,) = outcome_and_findings(printing("Result for SMAC: ABORT, 0.5, 0, 0, 1"), ResultLine())
    assert outcome.status is Status.FAILED
    assert (finding.code, finding.severity) == ("T03", Severity.ERROR)
