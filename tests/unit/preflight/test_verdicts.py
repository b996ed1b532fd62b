"""What is made of probes: pure judgements."""

from math import inf

from tightrope.errors import Finding, Severity
from tightrope.preflight import verdicts
from tightrope.preflight.probe import Probe
from tightrope.preflight.report import MARKS, Line, Report, written
from tightrope.records import Config, Outcome, Status, Task, Trial


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


def codes(line: Line) -> list[str]:
    return [finding.code for finding in line.findings]


def test_default_that_is_solved_is_fine() -> None:
    line = verdicts.default_line([probe(0.84, solution="SAT")], is_time=True)
    assert (line.text, line.findings) == ("solved a.cnf in 0.84 s, answer SAT understood", ())


def test_default_that_fails_shows_command_and_output() -> None:
    line = verdicts.default_line([failure()], is_time=True)
    assert (codes(line), line.severity) == (["C07"], Severity.ERROR)
    assert line.details == "$ ./solver a.cnf\nstderr: no licence"


def test_exit_codes_of_sat_solvers_are_recognised() -> None:
    line = verdicts.default_line([failure("exit code 20")], is_time=True)
    assert line.findings[0].hint == 'SAT solvers end so: set answer = "sat"'


def test_default_that_never_finishes_is_a_warning() -> None:
    line = verdicts.default_line([probe(60.0, Status.CAPPED)], is_time=True)
    assert (codes(line), line.severity) == (["C08"], Severity.WARNING)


def test_what_the_supervisor_found_is_passed_on_once() -> None:
    found = Finding("T01", Severity.WARNING, "trial 0", "it claims 9 s")
    line = verdicts.default_line([probe(findings=(found,)), probe(findings=(found,))], is_time=True)
    assert line.findings == (found,)


def test_equal_runs_are_repeatable() -> None:
    line = verdicts.repeatable_line([probe(1.0), probe(1.02)], is_time=True, deterministic=True)
    assert line.findings == ()
    assert line.text == "same seed, same answer; cost varies by 2 % in 2 runs"


def test_another_answer_from_the_same_run_is_an_error() -> None:
    runs = [probe(solution="SAT"), probe(solution="UNSAT")]
    line = verdicts.repeatable_line(runs, is_time=True, deterministic=True)
    assert (codes(line), line.severity) == (["C09"], Severity.ERROR)


def test_failure_after_success_is_an_error() -> None:
    line = verdicts.repeatable_line([probe(), failure()], is_time=True, deterministic=True)
    assert codes(line) == ["C09"]


def test_noise_is_a_warning() -> None:
    line = verdicts.repeatable_line([probe(1.0), probe(1.4)], is_time=True, deterministic=True)
    assert codes(line) == ["C10"]


def test_noise_of_milliseconds_is_none() -> None:
    line = verdicts.repeatable_line([probe(0.01), probe(0.02)], is_time=True, deterministic=True)
    assert line.findings == ()


def test_printed_cost_that_varies_asks_for_seeds() -> None:
    line = verdicts.repeatable_line([probe(10.0), probe(20.0)], is_time=False, deterministic=True)
    assert line.findings[0].hint == "set deterministic = false, and give it {seed}"


def test_slow_first_run_is_a_cold_disk() -> None:
    runs = [probe(3.0), probe(1.0), probe(1.1)]
    assert codes(verdicts.repeatable_line(runs, is_time=True, deterministic=True)) == ["C17"]


def test_run_that_was_cut_is_gone() -> None:
    line = verdicts.kill_line(probe(0.2, Status.CAPPED, cap=0.2), is_time=True)
    assert line.text == "cut at 0.2 s, gone after 0.2 s, no children left"


def test_survivors_of_the_kill_are_an_error() -> None:
    line = verdicts.kill_line(probe(0.2, Status.CAPPED, survivors=2), is_time=True)
    assert (codes(line), line.severity) == (["C12"], Severity.ERROR)


def test_run_that_is_over_before_its_cap_proves_nothing() -> None:
    assert codes(verdicts.kill_line(probe(0.001), is_time=True)) == ["C11"]


def timing(absent: Probe | None, **changes: float) -> Line:
    settings = {"resolution": 0.01, "load": 0.0, "cores": 2} | changes
    return verdicts.timing_line([probe(1.0)], absent, is_time=True, **settings)  # type: ignore[arg-type]


def test_quick_start_is_fine() -> None:
    absent = probe(inf, Status.FAILED)
    line = verdicts.timing_line([probe(10.0)], absent, resolution=0.01, is_time=True, load=0.0, cores=2)
    assert (line.text, line.findings) == ("start-up 0.1 s, 1 % of a run, 20 ms a run for measuring", ())


def test_long_start_is_a_warning() -> None:
    late = probe(inf, Status.FAILED)
    line = verdicts.timing_line([probe(0.5)], late, resolution=0.01, is_time=True, load=0.0, cores=2)
    assert codes(line) == ["C13"]


def test_success_without_an_instance_is_suspicious() -> None:
    assert codes(timing(probe(1.0))) == ["C14"]


def test_short_runs_are_hard_to_measure() -> None:
    assert codes(timing(None, resolution=0.5)) == ["C19"]


def test_busy_machine_is_told() -> None:
    assert codes(timing(None, load=5.0)) == ["C18"]


def test_some_failing_configs_are_a_warning_and_all_an_error() -> None:
    some = verdicts.parameters_line([probe(), failure()], probe(), is_time=True)
    every = verdicts.parameters_line([failure(), failure()], probe(), is_time=True)
    assert (codes(some), some.severity) == (["C15"], Severity.WARNING)
    assert (codes(every), every.severity) == (["C15"], Severity.ERROR)


def test_configs_that_disagree_about_the_answer_are_an_error() -> None:
    line = verdicts.parameters_line([probe(solution="UNSAT")], probe(solution="SAT"), is_time=True)
    assert (codes(line), line.severity) == (["C20"], Severity.ERROR)


def test_different_solutions_at_printed_costs_are_no_contradiction() -> None:
    line = verdicts.parameters_line([probe(solution="7")], probe(solution="8"), is_time=False)
    assert line.findings == ()


def test_report_is_ready_despite_warnings() -> None:
    warned = Line("kill", "", (Finding("C11", Severity.WARNING, "kill", "not seen"),))
    broken = Line("default", "", (Finding("C07", Severity.ERROR, "default", "fails"),))
    assert Report([warned]).is_ready
    assert not Report([warned, broken]).is_ready


def test_line_is_written_with_its_mark_and_code() -> None:
    line = Line("budget", "", (Finding("B02", Severity.WARNING, "budget", "12 runs", "try 8h"),), "$ true")
    assert written(line, MARKS) == ["  ! budget       12 runs; try 8h   [B02]", "      $ true"]


def test_short_times_are_told_in_milliseconds() -> None:
    line = verdicts.default_line([probe(0.02271)], is_time=True)
    assert line.text == "solved a.cnf in 22.7 ms, answer understood"


def test_large_shares_are_told_without_an_exponent() -> None:
    runs = [probe(0.01), probe(0.01), probe(0.032)]
    line = verdicts.repeatable_line(runs, is_time=True, deterministic=True)
    assert line.text == "same seed, same answer; cost varies by 220 % in 3 runs"


def test_runs_below_the_resolution_are_told_to_be() -> None:
    assert timing(None, resolution=2.0).findings[0].message == "a run takes 1 s, below the resolution of 2 s"
