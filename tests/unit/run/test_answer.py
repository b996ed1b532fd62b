"""Readers of the answers of targets."""

import pytest

from tightrope.errors import TargetError
from tightrope.run.answer import Answer, Claim, ExitCode, JsonLine, Pattern, Reader
from tightrope.run.convention import IraceLine, ResultLine, SatSolver
from tightrope.run.supervise.report import Ending, Output, Reason


def said(text: str = "", *, code: int = 0) -> Ending:
    return Ending(Reason.EXITED, code, stdout=Output(text.encode()))


@pytest.mark.parametrize(
    ("code", "claim"), [(0, Claim.SOLVED), (1, Claim.FAILED), (127, Claim.FAILED), (-9, Claim.FAILED)]
)
def test_exit_code_zero_means_success(code: int, claim: Claim) -> None:
    assert ExitCode().read(said(code=code)).claim is claim


def test_other_exit_codes_may_mean_success() -> None:
    assert ExitCode(success={3}).read(said(code=3)).claim is Claim.SOLVED
    assert ExitCode(success={3}).read(said(code=0)).claim is Claim.FAILED


def test_exit_codes_may_tell_the_solution() -> None:
    reader = ExitCode(success=(), solutions={10: "SAT", 20: "UNSAT"})
    assert reader.read(said(code=20)) == Answer(Claim.SOLVED, solution="UNSAT")


@pytest.mark.parametrize(
    ("text", "code", "solution"),
    [
        ("", 10, "SAT"),
        ("", 20, "UNSAT"),
        ("c hello\ns SATISFIABLE\nv 1 2 0\n", 10, "SAT"),
        ("s UNSATISFIABLE\r\n", 0, "UNSAT"),
        ("s OPTIMUM FOUND", 0, "OPTIMUM"),
    ],
)
def test_a_sat_solver_answers_by_code_or_line(text: str, code: int, solution: str) -> None:
    assert SatSolver().read(said(text, code=code)) == Answer(Claim.SOLVED, solution=solution)


@pytest.mark.parametrize(
    ("text", "code", "why"),
    [
        ("", 0, "neither"),
        ("s UNKNOWN", 0, "neither"),
        ("s UNSATISFIABLE", 10, "contradicts"),
        ("s SATISFIABLE\ns UNSATISFIABLE", 0, "both"),
        ("s SATISFIABLE", 1, "exit code 1"),
        ("s SATISFIABLE", -11, "SIGSEGV"),
    ],
)
def test_a_sat_solver_that_gives_no_single_answer_fails(text: str, code: int, why: str) -> None:
    answer = SatSolver().read(said(text, code=code))
    assert answer.claim is Claim.FAILED
    assert why in answer.note


def test_a_json_line_gives_all_it_knows() -> None:
    text = 'log {"cost": 9}\n{"cost": 3.5, "status": "success", "answer": 12, "time": 0.25}\n\n'
    assert JsonLine().read(said(text)) == Answer(Claim.SOLVED, 3.5, "12", 0.25)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "not a JSON object"),
        ("3.5", "not a JSON object"),
        ('{"cost": 3.5}\nbye', "not a JSON object"),
        ('{"cost": ', "not a JSON object"),
        ('{"price": 3.5}', "no finite cost"),
        ('{"cost": NaN}', "no finite cost"),
        ('{"cost": Infinity}', "no finite cost"),
        ('{"cost": true}', "no finite cost"),
        ('{"cost": null}', "no finite cost"),
        ('{"cost": 1, "status": "great"}', "unknown status"),
        ('{"cost": 1, "status": "crashed"}', "it reported crashed"),
    ],
)
def test_a_json_line_that_says_nothing_usable_is_a_failure(text: str, why: str) -> None:
    answer = JsonLine().read(said(text))
    assert answer.claim is Claim.FAILED
    assert why in answer.note


def test_a_json_line_does_not_count_after_a_crash() -> None:
    assert JsonLine().read(said('{"cost": 1}', code=-6)).note == "killed by SIGABRT"


def test_without_a_cost_to_read_a_json_line_needs_none() -> None:
    assert JsonLine(cost=False).read(said('{"status": "unsat"}')) == Answer(Claim.SOLVED, solution="unsat")


def test_the_last_match_of_a_pattern_counts() -> None:
    reader = Pattern(r"^cost: (\S+)$", solution=r"optimum (\d+)", time=r"took (\S+)s")
    text = "cost: 9\ncost: 7.5\noptimum 42\ntook 0.5s\n"
    assert reader.read(said(text)) == Answer(Claim.SOLVED, 7.5, "42", 0.5)


@pytest.mark.parametrize("text", ["", "cost: none"])
def test_a_pattern_that_finds_no_number_is_a_failure(text: str) -> None:
    assert Pattern(r"cost: (\S+)").read(said(text)).claim is Claim.FAILED


def test_a_failed_search_says_that_output_was_not_kept() -> None:
    ending = Ending(Reason.EXITED, stdout=Output(b"a", b"b", 1000))
    assert "1000 bytes of output were not kept" in Pattern("cost (.)").read(ending).note


@pytest.mark.parametrize(
    ("pattern", "why"), [("(", "not a regular expression"), ("x", "0 groups"), ("(a)(b)", "2 groups")]
)
def test_a_pattern_must_have_one_group(pattern: str, why: str) -> None:
    with pytest.raises(TargetError, match=why):
        Pattern(pattern)


@pytest.mark.parametrize(
    "prefix",
    [
        "Result for SMAC:",
        "Result for ParamILS:",
        "Result for HAL:",
        "Result of this algorithm run:",
        "Result of algorithm run:",
        "Result of this Algorithm Run:",
        "  Final Result for ParamILS:",
        "Final result of this wrapper:",
    ],
)
def test_result_lines_of_all_ages_are_read(prefix: str) -> None:
    answer = ResultLine(quality=True).read(
        said(f"noise\n{prefix} SUCCESS, 1.25, -1, 7.5, 123, extra\nmore noise")
    )
    assert answer == Answer(Claim.SOLVED, 7.5, None, 1.25)


def test_a_result_line_may_hold_an_object() -> None:
    text = 'Result of this algorithm run: {"status": "SUCCESS", "cost": 2.0, "runtime": 3.0, "misc": "a, b"}'
    assert ResultLine(quality=True).read(said(text)) == Answer(Claim.SOLVED, 2.0, None, 3.0)


@pytest.mark.parametrize(
    ("status", "claim"),
    [
        ("SAT", Claim.SOLVED),
        ("UNSAT", Claim.SOLVED),
        ("SUCCESS", Claim.SOLVED),
        ("TIMEOUT", Claim.TIMEOUT),
        ("CRASHED", Claim.FAILED),
        ("MEMOUT", Claim.FAILED),
        ("ABORT", Claim.ABORT),
        ("WONDERFUL", Claim.FAILED),
    ],
)
def test_the_status_of_a_result_line_counts(status: str, claim: Claim) -> None:
    assert ResultLine().read(said(f"Result for SMAC: {status}, 1, 0, 0, 1")).claim is claim


def test_sat_and_unsat_in_a_result_line_are_solutions() -> None:
    assert ResultLine().read(said("Result for SMAC: UNSAT, 1, 0, 0, 1")).solution == "UNSAT"


@pytest.mark.parametrize(
    "text",
    ["", "Result for SMAC:", "Result for SMAC: SUCCESS", "Result of this algorithm run: {1}", "Result: 1"],
)
def test_a_result_line_that_cannot_be_read_is_a_failure(text: str) -> None:
    assert ResultLine().read(said(text)).claim is Claim.FAILED


def test_a_quality_that_is_no_number_is_a_failure() -> None:
    assert ResultLine(quality=True).read(said("Result for SMAC: SUCCESS, 1, 0, nan, 1")).claim is Claim.FAILED


def test_a_result_line_may_come_with_any_exit_code_but_no_signal() -> None:
    line = "Result for ParamILS: SAT, 1, 0, 0, 1"
    assert ResultLine().read(said(line, code=10)).claim is Claim.SOLVED
    assert ResultLine().read(said(line, code=-11)).claim is Claim.FAILED


@pytest.mark.parametrize(
    ("text", "cost", "time_s"),
    [("42.5", 42.5, None), ("log\n-3 0.5\n", -3.0, 0.5), ("1e3\t2\n\n", 1000.0, 2.0)],
)
def test_irace_reads_a_cost_and_perhaps_a_time(text: str, cost: float, time_s: float | None) -> None:
    assert IraceLine().read(said(text)) == Answer(Claim.SOLVED, cost, None, time_s)


@pytest.mark.parametrize("text", ["", "Inf", "1 2 3", "cost 3", "nan"])
def test_other_lines_are_failures_for_irace(text: str) -> None:
    assert IraceLine().read(said(text)).claim is Claim.FAILED


@pytest.mark.parametrize(
    "reader", [ExitCode(), SatSolver(), JsonLine(), Pattern("(x)"), ResultLine(), IraceLine()]
)
def test_binary_output_is_no_obstacle(reader: Reader) -> None:
    ending = Ending(Reason.EXITED, 1, stdout=Output(bytes(range(256))))
    assert reader.read(ending).claim is Claim.FAILED


def test_a_run_without_the_solution_that_is_looked_for_has_failed() -> None:
    answer = Pattern(solution=r"optimum (\d+)").read(said("unknown option -x, exiting"))
    assert (answer.claim, answer.note) == (Claim.FAILED, "nothing matches 'optimum (\\\\d+)' in its output")
