"""Fuzzed inputs for everything that reads what people and programs write.

A reader returns a value or an error of its own kind, with a text. Anything else is a bug.
"""

import random
from collections.abc import Callable
from math import isfinite
from pathlib import Path

from scenario_texts import ACLIB, FILES, IRACE, TOML, VOCABULARY
from tightrope.errors import ScenarioError
from tightrope.run import ExitCode, IraceLine, JsonLine, Pattern, ResultLine, SatSolver
from tightrope.run.answer import Answer
from tightrope.run.supervise.report import Ending, Output, Reason
from tightrope.scenario import parse_pcs, parse_scenario
from tightrope.units import UnitError, parse_duration, parse_size

ANSWERS = (
    '{"cost": 3.5, "status": "success", "answer": "SAT", "time": 0.25}',
    "s SATISFIABLE\nc 12 conflicts\ncost = 17.5",
    "Result for ParamILS: SAT, 1.25, 100, 7.5, 42",
    "Result of this algorithm run: TIMEOUT, 5, 0, 0, 1, extra",
)
PIECES = (
    *("{", "}", "[", "]", '"', "'", ":", ",", "\n", "\r", "\t", "\\", "\x00", "\x1b[2J", "\u2028", "\ufeff"),
    *("1_000", "1e400", "-0", "NaN", "Infinity", "٣", "߃", "9" * 400, "null", "true", "[" * 3000, "{" * 1200),
    *('"cost"', "\\ud800", "é", "0x10", "1.5", ".5", "e", "+", "-", " ", "a" * 2000, '{"a":' * 600),
)
UNITS = (*"0123456789. -+_", "ms", "s", "h", "d", "GB", "MiB", "KB", "inf", "nan", "e5", "٣", "\n", "minutes")

READERS = (
    ExitCode(),
    IraceLine(),
    JsonLine(),
    JsonLine(cost=False),
    Pattern(cost=r"cost = (\S+)", solution=r"s (\w+)"),
    ResultLine(),
    SatSolver(),
)
Check = Callable[[random.Random, Path], None]


def damage(text: str, rng: random.Random, pieces: tuple[str, ...] | list[str]) -> str:
    """Replace, insert and remove at a few places."""
    for _ in range(rng.randint(1, 4)):
        start = rng.randint(0, len(text))
        end = start + rng.choice([0, 0, 1, 1, 2, 5, 30])
        text = text[:start] + rng.choice(["", *pieces]) + text[end:]
    return text


def an_answer(rng: random.Random, folder: Path) -> None:
    """Read what a target might print: never an exception, and every number is finite."""
    text = damage(rng.choice(ANSWERS), rng, PIECES)
    printed = text.encode(errors="surrogatepass")
    if rng.random() < 0.2:
        printed = bytes(byte ^ (rng.random() < 0.05) * rng.randrange(256) for byte in printed)
    ending = Ending(Reason.EXITED, rng.choice([0, 0, 0, 10, -11, 255]), stdout=Output(printed))
    answer = rng.choice(READERS).read(ending)
    assert isinstance(answer, Answer), answer
    for number in (answer.cost, answer.time_s):
        assert number is None or isfinite(number), answer
    for word in (answer.solution or "", answer.note):
        word.encode()  # it can be written to a file


def a_quantity(rng: random.Random, folder: Path) -> None:
    """Read a duration or a size: a number from 0, or an error."""
    text = "".join(rng.choice(UNITS) for _ in range(rng.randint(0, 8)))
    for parse in (parse_duration, parse_size):
        try:
            assert parse(text) >= 0, text
        except UnitError as error:
            _require_text(str(error))


def a_parameter_file(rng: random.Random, folder: Path) -> None:
    """Read a PCS file: a space, or an error."""
    try:
        parse_pcs(damage(FILES["solver.pcs"], rng, VOCABULARY))
    except ScenarioError as error:
        _require_text(*(fault.problem for fault in error.faults))


def a_scenario(rng: random.Random, folder: Path) -> None:
    """Read a scenario of any format."""
    text = damage(rng.choice([TOML, TOML, ACLIB, IRACE]), rng, VOCABULARY)
    try:
        parse_scenario(text, base=folder, file=rng.choice(["s.toml", "scenario.txt"]))
    except ScenarioError as error:
        _require_text(*(fault.problem for fault in error.faults))


def a_named_file(rng: random.Random, folder: Path) -> None:
    """Read a scenario that names a damaged file."""
    name = rng.choice(sorted(FILES))
    user, file = rng.choice([(TOML, "s.toml"), (ACLIB, "scenario.txt"), (IRACE, "scenario.txt")])
    (folder / name).write_text(damage(FILES[name], rng, VOCABULARY), encoding="utf-8")
    try:
        parse_scenario(user, base=folder, file=file)
    except ScenarioError as error:
        _require_text(*(fault.problem for fault in error.faults))
    finally:
        (folder / name).write_text(FILES[name])


def _require_text(*texts: str) -> None:
    assert texts
    assert all(texts)


CHECKS: dict[Check, float] = {
    an_answer: 0.7,
    a_quantity: 0.18,
    a_parameter_file: 0.08,
    a_scenario: 0.03,
    a_named_file: 0.01,
}


def prepare(folder: Path) -> None:
    """Write the files that the scenarios name."""
    for name in ("train/a1.cnf", "train/a2.cnf", "test/b1.cnf", "test/b2.cnf"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).touch()
    for name, text in FILES.items():
        (folder / name).write_text(text)


def try_one(rng: random.Random, folder: Path) -> str:
    """Try one input; return the name of its kind."""
    (check,) = rng.choices(list(CHECKS), weights=list(CHECKS.values()))
    check(rng, folder)
    return check.__name__
