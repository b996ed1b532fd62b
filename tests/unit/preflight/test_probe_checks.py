"""Checks of probes."""

from math import inf

from tightrope.errors import Finding, Severity
from tightrope.preflight import probe_checks
from tightrope.preflight.probe import Probe
from tightrope.preflight.report import MARKS, CheckLine, CheckReport, write_line
from tightrope.records import Config, Outcome, Status, Task, Trial
from tightrope.run.supervise.groups import Groups


def probe(
    cost: float = 1.0,
    status: Status = Status.DONE,
    *,
    note: str = "",
    cap: float = 60.0,
    **seen: object,
) -> Probe:
    trial = Trial(0, Config({"x": 1}), cap, Task("a.cnf"))
    spent = cost if cost < inf else 0.1
    outcome = Outcome(0, status, cost, spent, wall_s=spent, cpu_s=spent, note=note)
    return Probe(trial, outcome, **{"elapsed_s": spent + 0.02, "command": "./solver a.cnf"} | seen)  # type: ignore[arg-type]


def failure(note: str = "exit code 1") -> Probe:
    return probe(inf, Status.FAILED, note=f"{note}\n$ ./solver a.cnf\nstderr: no licence")


def codes(line: CheckLine) -> list[str]:
    return [finding.code for finding in line.findings]


def test_default_that_is_solved_is_fine() -> None:
    line = probe_checks.check_default([probe(0.84, solution="SAT")], is_time=True)
    assert (line.text, line.findings) == ("solved a.cnf in 0.84 s, answer SAT", ())


def test_default_that_fails_shows_command_and_output() -> None:
    line = probe_checks.check_default([failure()], is_time=True)
    assert (codes(line), line.severity) == (["C07"], Severity.ERROR)
    assert line.details == "$ ./solver a.cnf\nstderr: no licence"


def test_exit_codes_of_sat_solvers_are_recognised() -> None:
    line = probe_checks.check_default([failure("exit code 20")], is_time=True)
    assert line.findings[0].hint == 'SAT solvers exit with this code: set answer = "sat"'


def test_default_that_never_finishes_is_a_warning() -> None:
    line = probe_checks.check_default([probe(60.0, Status.CAPPED)], is_time=True)
    assert (codes(line), line.severity) == (["C08"], Severity.WARNING)


def test_findings_of_the_supervisor_are_passed_on_once() -> None:
    found = Finding("T01", Severity.WARNING, "trial 0", "it reported 9 s")
    line = probe_checks.check_default([probe(findings=(found,)), probe(findings=(found,))], is_time=True)
    assert line.findings == (found,)


def test_equal_runs_are_repeatable() -> None:
    line = probe_checks.check_repeatable([probe(1.0), probe(1.02)], is_time=True, deterministic=True)
    assert line.findings == ()
    assert line.text == "same seed, same answer; cost varies by 2 % in 2 runs"


def test_another_answer_from_the_same_run_is_an_error() -> None:
    runs = [probe(solution="SAT"), probe(solution="UNSAT")]
    line = probe_checks.check_repeatable(runs, is_time=True, deterministic=True)
    assert (codes(line), line.severity) == (["C09"], Severity.ERROR)


def test_failure_after_success_is_an_error() -> None:
    line = probe_checks.check_repeatable([probe(), failure()], is_time=True, deterministic=True)
    assert codes(line) == ["C09"]


def test_noise_is_a_warning() -> None:
    line = probe_checks.check_repeatable([probe(1.0), probe(1.4)], is_time=True, deterministic=True)
    assert codes(line) == ["C10"]


def test_noise_of_milliseconds_is_none() -> None:
    line = probe_checks.check_repeatable([probe(0.01), probe(0.02)], is_time=True, deterministic=True)
    assert line.findings == ()


def test_printed_cost_that_varies_suggests_seeds() -> None:
    line = probe_checks.check_repeatable([probe(10.0), probe(20.0)], is_time=False, deterministic=True)
    assert line.findings[0].hint == "set deterministic = false, and pass {seed}"


def test_slow_first_run_is_a_cold_disk() -> None:
    runs = [probe(3.0), probe(1.0), probe(1.1)]
    assert codes(probe_checks.check_repeatable(runs, is_time=True, deterministic=True)) == ["C17"]


def test_run_that_was_stopped_is_gone() -> None:
    line = probe_checks.check_kill(probe(0.2, Status.CAPPED, cap=0.2), is_time=True)
    assert line.text == "stopped at 0.2 s, gone after 0.2 s, no children left"


def test_survivors_of_the_kill_are_an_error() -> None:
    line = probe_checks.check_kill(probe(0.2, Status.CAPPED, survivors=2), is_time=True)
    assert (codes(line), line.severity) == (["C12"], Severity.ERROR)


def test_run_that_ends_before_its_cap_is_a_warning() -> None:
    assert codes(probe_checks.check_kill(probe(0.001), is_time=True)) == ["C11"]


def timing(absent: Probe | None, **changes: float) -> CheckLine:
    settings = {"resolution": 0.01, "load": 0.0, "cores": 2} | changes
    return probe_checks.check_timing([probe(1.0)], absent, is_time=True, **settings)  # type: ignore[arg-type]


def test_quick_start_is_fine() -> None:
    absent = probe(inf, Status.FAILED)
    line = probe_checks.check_timing([probe(10.0)], absent, resolution=0.01, is_time=True, load=0.0, cores=2)
    assert (line.text, line.findings) == ("start-up 0.1 s, 1 % of a run, 20 ms a run for measuring", ())


def test_long_start_is_a_warning() -> None:
    late = probe(inf, Status.FAILED)
    line = probe_checks.check_timing([probe(0.5)], late, resolution=0.01, is_time=True, load=0.0, cores=2)
    assert codes(line) == ["C13"]


def test_success_without_an_instance_is_suspicious() -> None:
    assert codes(timing(probe(1.0))) == ["C14"]


def test_short_runs_are_hard_to_measure() -> None:
    assert codes(timing(None, resolution=0.5)) == ["C19"]


def test_busy_machine_is_a_warning() -> None:
    assert codes(timing(None, load=5.0)) == ["C18"]


def test_some_failing_configs_are_a_warning_and_all_an_error() -> None:
    some = probe_checks.check_parameters([probe(), failure()], probe(), is_time=True)
    every = probe_checks.check_parameters([failure(), failure()], probe(), is_time=True)
    assert (codes(some), some.severity) == (["C15"], Severity.WARNING)
    assert (codes(every), every.severity) == (["C15"], Severity.ERROR)


def test_configs_that_disagree_about_the_answer_are_an_error() -> None:
    line = probe_checks.check_parameters([probe(solution="UNSAT")], probe(solution="SAT"), is_time=True)
    assert (codes(line), line.severity) == (["C20"], Severity.ERROR)


def test_different_solutions_at_printed_costs_are_no_contradiction() -> None:
    line = probe_checks.check_parameters([probe(solution="7")], probe(solution="8"), is_time=False)
    assert line.findings == ()


def test_report_is_ready_despite_warnings() -> None:
    warned = CheckLine("kill", "", (Finding("C11", Severity.WARNING, "kill", "not seen"),))
    broken = CheckLine("default", "", (Finding("C07", Severity.ERROR, "default", "fails"),))
    assert CheckReport([warned]).is_ready
    assert not CheckReport([warned, broken]).is_ready


def test_line_is_written_with_its_mark_and_code() -> None:
    line = CheckLine(
        "budget", "", (Finding("B02", Severity.WARNING, "budget", "12 runs", "try 8h"),), "$ true"
    )
    assert write_line(line, MARKS) == ["  ! budget       12 runs; try 8h   [B02]", "      $ true"]


def test_short_times_are_written_in_milliseconds() -> None:
    line = probe_checks.check_default([probe(0.02271)], is_time=True)
    assert line.text == "solved a.cnf in 22.7 ms, answer read"


def test_large_shares_are_written_without_an_exponent() -> None:
    runs = [probe(0.01), probe(0.01), probe(0.032)]
    line = probe_checks.check_repeatable(runs, is_time=True, deterministic=True)
    assert line.text == "same seed, same answer; cost varies by 220 % in 3 runs"


def test_the_message_names_a_resolution_above_the_cost_of_a_run() -> None:
    assert timing(None, resolution=2.0).findings[0].message == "a run takes 1 s, below the resolution of 2 s"


def test_control_groups_are_named_with_what_they_give() -> None:
    line = probe_checks.check_groups(Groups(unified="/u"))
    assert line.text == "control groups of version 2: exact CPU time, atomic kill"
    assert probe_checks.check_groups(Groups()).text.startswith("no control groups: ")
