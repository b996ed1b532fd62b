"""Readers for established output conventions: SAT competitions, AClib and its ancestors, irace."""

import re
from dataclasses import dataclass

from tightrope.run.answer import Answer, Claim, describe_exit, read_status
from tightrope.run.printed import fields_of, number, read_object, shorten, word
from tightrope.run.supervise.report import Ending

_SAT_CODES = {10: "SAT", 20: "UNSAT"}
_SAT_LINES = {"s SATISFIABLE": "SAT", "s UNSATISFIABLE": "UNSAT", "s OPTIMUM FOUND": "OPTIMUM"}


@dataclass(frozen=True, slots=True)
class SatSolver:
    """Exit code 10 or a line "s SATISFIABLE"; exit code 20 or "s UNSATISFIABLE". The cost is time.

    Examples
    --------
    >>> from tightrope.run.supervise.report import Output, Reason
    >>> SatSolver().read(Ending(Reason.EXITED, 10)).solution
    'SAT'
    >>> SatSolver().read(Ending(Reason.EXITED, 10, stdout=Output(b"s UNSATISFIABLE"))).note
    "exit code 10 contradicts 's UNSATISFIABLE'"
    """

    @property
    def prints_cost(self) -> bool:
        """Never: the cost is time."""
        return False

    def read(self, ending: Ending) -> Answer:
        """Return the answer given by exit code and output."""
        code = ending.exit_code
        if code != 0 and code not in _SAT_CODES:
            return Answer(Claim.FAILED, note=describe_exit(code))
        lines = [line for line in ending.stdout.lines if line in _SAT_LINES]
        solutions = {_SAT_LINES[line] for line in lines}
        if code in _SAT_CODES and solutions - {_SAT_CODES[code]}:
            return Answer(Claim.FAILED, note=f"exit code {code} contradicts {lines[-1]!r}")
        if code in _SAT_CODES:
            return Answer(Claim.SOLVED, solution=_SAT_CODES[code])
        if len(solutions) != 1:
            found = "both SAT and UNSAT" if solutions else "neither exit code 10 or 20 nor a line 's ...'"
            return Answer(Claim.FAILED, note=f"its answer has {found}")
        return Answer(Claim.SOLVED, solution=solutions.pop())


_RESULT = re.compile(
    r"^\s*(?:final\s+)?result\s+(?:of|for)\s+"
    r"(?:(?:this\s+)?algorithm\s+run|this\s+wrapper|smac|paramils|hal)\s*:(.*)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ResultLine:
    r"""A result line of SMAC, ParamILS or AClib; the last one counts.

    "Result for SMAC: SAT, 1.2, 0, 0, 123" (status, time, run length, quality, seed), the same after "Result
    for ParamILS:", "Result of algorithm run:", "Result of this algorithm run:" and older variants, or
    AClib's 'Result of this algorithm run: {"status": "SUCCESS", "runtime": 1.2, "cost": 0.0}'.

    Parameters
    ----------
    quality : bool, default=False
        Whether to minimise the printed quality; otherwise the measured time is minimised, and the printed
        time is only compared with it.

    Examples
    --------
    >>> from tightrope.run.supervise.report import Output, Reason
    >>> ending = Ending(Reason.EXITED, stdout=Output(b"Result for SMAC: SAT, 1.2, 0, 7.5, 123\n"))
    >>> answer = ResultLine(quality=True).read(ending)
    >>> answer.cost, answer.solution, answer.time_s
    (7.5, 'SAT', 1.2)
    """

    quality: bool = False

    @property
    def prints_cost(self) -> bool:
        """Whether the cost is the printed quality."""
        return self.quality

    def read(self, ending: Ending) -> Answer:
        """Return the answer in the last such line; any exit code is accepted, but no signal."""
        if ending.exit_code < 0:
            return Answer(Claim.FAILED, note=describe_exit(ending.exit_code))
        results = [match[1].strip() for line in ending.stdout.lines if (match := _RESULT.match(line))]
        if not results:
            note = f"it printed no result line; {describe_exit(ending.exit_code)}"
            return Answer(Claim.FAILED, note=note)
        fields = _read_object(results[-1]) if results[-1].startswith("{") else _read_fields(results[-1])
        if fields is None:
            return Answer(Claim.FAILED, note=f"its result line cannot be read: {shorten(results[-1])}")
        status, time_s, quality = fields
        return read_status(
            status, cost=quality, solution=None, time_s=time_s, needs_cost=self.quality, line=results[-1]
        )


def _read_fields(text: str) -> tuple[str, float | None, float | None] | None:
    fields = [field.strip() for field in text.split(",")]
    if len(fields) < 2:
        return None
    quality = number(fields[3]) if len(fields) > 3 else None
    return fields[0], number(fields[1]), quality


def _read_object(text: str) -> tuple[str, float | None, float | None] | None:
    fields = read_object(text)
    if fields is None or "status" not in fields:
        return None
    return word(fields["status"]) or "null", number(fields.get("runtime")), number(fields.get("cost"))


@dataclass(frozen=True, slots=True)
class IraceLine:
    r"""The last line of standard output is a cost and optionally a time, as irace's target runners print it.

    Parameters
    ----------
    cost : bool, default=True
        Whether to minimise that cost; otherwise the measured time is minimised.

    Examples
    --------
    >>> from tightrope.run.supervise.report import Output, Reason
    >>> IraceLine().read(Ending(Reason.EXITED, stdout=Output(b"42.5 0.3\n"))).cost
    42.5
    """

    cost: bool = True

    @property
    def prints_cost(self) -> bool:
        """Whether the cost is read from the line."""
        return self.cost

    def read(self, ending: Ending) -> Answer:
        """Return the answer in the last line."""
        if ending.exit_code != 0:
            return Answer(Claim.FAILED, note=describe_exit(ending.exit_code))
        line = (ending.stdout.lines or [""])[-1]
        numbers = [number(field) for field in fields_of(line)]
        if len(numbers) not in (1, 2) or None in numbers:
            note = f"its last line is not a finite cost with an optional time: {shorten(line)}"
            return Answer(Claim.FAILED, note=note)
        return Answer(Claim.SOLVED, numbers[0], time_s=numbers[1] if len(numbers) == 2 else None)
