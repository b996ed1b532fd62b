"""Whatever a target prints is data: it is read as an answer or refused, and never raises."""

import pytest

from tightrope.run.answer import Answer, Claim, ExitCode, JsonLine, Pattern, Reader
from tightrope.run.convention import IraceLine, ResultLine, SatSolver
from tightrope.run.printed import number, read_object
from tightrope.run.supervise.report import Ending, Output, Reason

READERS: tuple[Reader, ...] = (
    ExitCode(),
    JsonLine(),
    JsonLine(cost=False),
    Pattern(r"cost (\S+)", solution="answer (.*)"),
    Pattern(),
    IraceLine(),
    ResultLine(),
    ResultLine(quality=True),
    SatSolver(),
)
STRANGE = {
    "deep lists": "[" * 20_000,
    "deep objects": '{"cost":' * 20_000,
    "a deep answer": '{"cost": 1, "answer": ' + "[" * 900 + "]" * 900 + "}",
    "a deep status": '{"cost": 1, "status": ' + "[" * 900 + "]" * 900 + "}",
    "a deep result": "Result for SMAC: {" + '"status": {' * 20_000,
    "many digits": '{"cost": ' + "9" * 30_000 + "}",
    "a large exponent": '{"cost": 1e999999999}',
    "an integer beyond floats": '{"cost": 1' + "0" * 400 + ', "time": 1' + "0" * 400 + "}",
    "underscores": '{"cost": "1_000"}\ncost 1_000',
    "other digits": '{"cost": "١٢٣"}\ncost ١٢٣',
    "full-width digits": "\uff11\uff12 \uff13",
    "not a number": '{"cost": NaN, "time": -Infinity}',
    "a line separator": '{"cost": 1, "answer": "a\u2028b"}',
    "zero bytes": "\0\0\0\0\n\0",
    "surrogates": '{"cost": 1, "answer": "\\ud800"}',
    "one huge line": "x" * 1_000_000,
    "many lines": "\n" * 100_000,
    "only blanks": " \t\r\n\u00a0\u3000",
    "an escape sequence": "\x1b]0;title\x07\x1b[2J",
    "a true cost": '{"cost": true}',
    "twice": '{"cost": 1, "cost": 2}',
    "a deep Result": "Result for SMAC: SAT, " + "(" * 20_000,
}


def said(text: str | bytes) -> Ending:
    raw = text if isinstance(text, bytes) else text.encode()
    return Ending(Reason.EXITED, stdout=Output(raw), stderr=Output(raw))


@pytest.mark.parametrize("reader", READERS, ids=repr)
@pytest.mark.parametrize("text", STRANGE.values(), ids=STRANGE)
def test_strange_output_is_read_or_refused(reader: Reader, text: str) -> None:
    assert isinstance(reader.read(said(text)), Answer)


@pytest.mark.parametrize("reader", READERS, ids=repr)
@pytest.mark.parametrize("raw", [b"\xff\xfe\xfd", b"\xc3", b"cost \xf0\x9f", bytes(range(256)) * 100])
def test_bytes_that_are_not_text_are_read_or_refused(reader: Reader, raw: bytes) -> None:
    assert isinstance(reader.read(said(raw)), Answer)


@pytest.mark.parametrize(
    "text", ["1_000", "١٢٣", "\uff11\uff12", "0x10", "inf", "nan", "", "1,5", "1e", "--1", "1 2", "9" * 400]
)
def test_what_no_solver_means_as_a_number_is_none(text: str) -> None:
    assert number(text) is None


@pytest.mark.parametrize(
    ("text", "value"), [("1", 1.0), ("-.5", -0.5), ("+2.", 2.0), (" 1E3\n", 1000.0), ("1e-400", 0.0)]
)
def test_numbers_as_solvers_print_them_are_read(text: str, value: float) -> None:
    assert number(text) == value


def test_a_line_separator_inside_a_json_line_does_not_end_it() -> None:
    answer = JsonLine().read(said('{"cost": 1.5, "answer": "a\u2028b\u0085c\x0bd"}'.replace("\x0b", " ")))
    assert (answer.claim, answer.cost) == (Claim.SOLVED, 1.5)


def test_half_of_a_surrogate_pair_becomes_text_that_can_be_stored() -> None:
    answer = JsonLine().read(said('{"cost": 1, "answer": "\\ud800", "status": "sat"}'))
    assert answer.solution == "?"


def test_nested_output_is_no_object() -> None:
    assert read_object('{"a":' * 20_000) is None
