"""Readers of a command's exit code and output: solved or not, cost, and solution."""

import re
import signal
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from tightrope.errors import TargetError
from tightrope.run.printed import number, read_object, shorten, word
from tightrope.run.supervise.report import Ending
from tightrope.run.timed_match import LIMIT_S, TooSlowError, last_match


class Claim(Enum):
    """What a target that exited by itself claims about its run."""

    SOLVED = "solved"
    TIMEOUT = "timeout"  # it gave up at its cap
    FAILED = "failed"
    ABORT = "abort"  # it failed, and claims that every run will
    UNREAD = "unread"  # this machine lacked what is needed to read the answer


@dataclass(frozen=True, slots=True)
class Answer:
    """What was read: claim, printed cost, solution (a name or value), claimed time, and a note."""

    claim: Claim
    cost: float | None = None
    solution: str | None = None
    time_s: float | None = None
    note: str = ""


class Reader(Protocol):
    """Reads the answer of a target that exited by itself."""

    @property
    def prints_cost(self) -> bool:
        """Whether the cost is a printed number; otherwise it is the measured time."""

    def read(self, ending: Ending) -> Answer:
        """Return the target's answer."""


@dataclass(frozen=True, slots=True)
class ExitCode:
    """The exit code is the answer; the cost is time.

    Parameters
    ----------
    success : collection of int, default=(0,)
        Codes that mean success.
    solutions : mapping from int to str, default={}
        Codes that mean success and name the solution, such as `{10: "SAT", 20: "UNSAT"}`.

    Examples
    --------
    >>> from tightrope.run.supervise.report import Reason
    >>> ExitCode(solutions={10: "SAT"}).read(Ending(Reason.EXITED, 10)).solution
    'SAT'
    >>> ExitCode().read(Ending(Reason.EXITED, -11)).note
    'killed by SIGSEGV'
    """

    success: Collection[int] = (0,)
    solutions: Mapping[int, str] = field(default_factory=dict)

    @property
    def prints_cost(self) -> bool:
        """Never: the cost is time."""
        return False

    def read(self, ending: Ending) -> Answer:
        """Return the meaning of the exit code."""
        code = ending.exit_code
        if code in self.solutions:
            return Answer(Claim.SOLVED, solution=self.solutions[code])
        if code in self.success:
            return Answer(Claim.SOLVED)
        return Answer(Claim.FAILED, note=describe_exit(code))


@dataclass(frozen=True, slots=True)
class JsonLine:
    r"""The last line of standard output is a JSON object with a "cost".

    The object may also have a "status" ("success", "sat", "unsat", "timeout", "crashed", ...), an "answer",
    which is compared with the expected one, and a "time", which is compared with the measured one.

    Parameters
    ----------
    cost : bool, default=True
        Whether to minimise the "cost"; otherwise the time is minimised.
    success : collection of int, default=(0,)
        Exit codes with which the line is read.

    Examples
    --------
    >>> from tightrope.run.supervise.report import Output, Reason
    >>> ending = Ending(Reason.EXITED, stdout=Output(b'hello\n{"cost": 3.5}\n'))
    >>> JsonLine().read(ending).cost
    3.5
    """

    cost: bool = True
    success: Collection[int] = (0,)

    @property
    def prints_cost(self) -> bool:
        """Whether the cost is read from the line."""
        return self.cost

    def read(self, ending: Ending) -> Answer:
        """Return the answer in the last line."""
        if ending.exit_code not in self.success:
            return Answer(Claim.FAILED, note=describe_exit(ending.exit_code))
        line = (ending.stdout.lines or [""])[-1]
        fields = read_object(line)
        if fields is None:
            return Answer(Claim.FAILED, note=f"its last line is not a JSON object: {shorten(line)}")
        return read_status(
            word(fields.get("status", "success")) or "null",
            cost=number(fields.get("cost")),
            solution=word(fields.get("answer")),
            time_s=number(fields.get("time")),
            needs_cost=self.cost,
            line=line,
        )


@dataclass(frozen=True, slots=True)
class Pattern:
    r"""Regular expressions with one group each, matched against the output; the last match counts.

    Parameters
    ----------
    cost, solution, time : str or None
        Patterns for the cost, the solution (such as an optimum), and the time that the target claims to have
        taken. Without a pattern for the cost, the cost is the measured time. A run fails if the pattern for
        the cost or the solution finds nothing.
    success : collection of int, default=(0,)
        Exit codes with which the output is read.

    Examples
    --------
    >>> from tightrope.run.supervise.report import Output, Reason
    >>> ending = Ending(Reason.EXITED, stdout=Output(b"length 9\nlength 7\n"))
    >>> Pattern(r"length (\d+)").read(ending).cost
    7.0
    """

    cost: str | None = None
    solution: str | None = None
    time: str | None = None
    success: Collection[int] = (0,)

    def __post_init__(self) -> None:
        for pattern in (self.cost, self.solution, self.time):
            _check_pattern(pattern)

    @property
    def prints_cost(self) -> bool:
        """Whether there is a pattern for the cost."""
        return self.cost is not None

    def read(self, ending: Ending) -> Answer:
        """Return the answer that the patterns find."""
        if ending.exit_code not in self.success:
            return Answer(Claim.FAILED, note=describe_exit(ending.exit_code))
        try:
            return self._read_output(ending)
        except TooSlowError:
            note = f"searching its output with the regular expressions took more than {LIMIT_S:.3g} s"
            return Answer(Claim.FAILED, note=note)
        except OSError as error:
            return Answer(Claim.UNREAD, note=f"its output could not be searched: {error}")

    def _read_output(self, ending: Ending) -> Answer:
        text = ending.stdout.text
        lost = f" ({ending.stdout.missing} bytes of output were not kept)" if ending.stdout.missing else ""
        cost, solution = number(_last(self.cost, text)), _last(self.solution, text)
        if self.cost is not None and cost is None:
            return Answer(Claim.FAILED, note=f"no number matches {self.cost!r} in its output{lost}")
        if self.solution is not None and solution is None:  # it exited early, perhaps on an invalid option
            return Answer(Claim.FAILED, note=f"nothing matches {self.solution!r} in its output{lost}")
        return Answer(Claim.SOLVED, cost, solution, number(_last(self.time, text)))


_STATUS = {
    **dict.fromkeys(("success", "successful", "solved", "ok", "done"), Claim.SOLVED),
    **dict.fromkeys(("sat", "satisfiable", "unsat", "unsatisfiable"), Claim.SOLVED),
    **dict.fromkeys(("timeout", "timed out"), Claim.TIMEOUT),
    **dict.fromkeys(("crashed", "crash", "failed", "memout", "killed"), Claim.FAILED),
    "abort": Claim.ABORT,
}


def read_status(
    status: str,
    *,
    cost: float | None,
    solution: str | None,
    time_s: float | None,
    needs_cost: bool,
    line: str,
) -> Answer:
    """Turn a printed status word and printed numbers into an answer."""
    claim = _STATUS.get(status.lower())
    if claim is None:
        return Answer(Claim.FAILED, note=f"unknown status {shorten(status)}: {shorten(line)}")
    if claim is Claim.SOLVED and needs_cost and cost is None:
        return Answer(Claim.FAILED, note=f"it printed no finite cost: {shorten(line)}")
    if solution is None and "sat" in status.lower():
        solution = status
    note = "" if claim is Claim.SOLVED else f"it reported {status}"
    return Answer(claim, cost, solution, time_s, note)


def describe_exit(code: int) -> str:
    """Describe an exit code, or the signal that ended a process."""
    if code >= 0:
        return f"exit code {code}"
    known = {number.value: number.name for number in signal.Signals}
    return f"killed by {known.get(-code, f'signal {-code}')}"


def _check_pattern(pattern: str | None) -> None:
    if pattern is None:
        return
    try:
        groups = re.compile(pattern).groups
    except re.error as error:
        raise TargetError(f"{pattern!r} is not a regular expression: {error}") from error
    if groups != 1:
        raise TargetError(
            f"the regular expression {pattern!r} has {groups} groups, but exactly one is needed",
            hint="put parentheses around the value to read, and write (?:...) for other groups",
        )


def _last(pattern: str | None, text: str) -> str | None:
    return None if pattern is None else last_match(pattern, text)
