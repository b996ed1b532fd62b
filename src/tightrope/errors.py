"""Exceptions and findings; both keep their parts as attributes and carry a hint."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

_ABSENT: Final[Any] = object()
_EXCERPT_WIDTH = 88  # characters of a line that are shown
_CUT = "... "
_MAX_FAULTS_SHOWN = 20


class TightropeError(Exception):
    """Base class of all errors of this package: the work cannot continue.

    Parameters
    ----------
    problem : str
        What is wrong, as a clause without a full stop.
    hint : str, default ""
        What to try next.
    """

    def __init__(self, problem: str, *, hint: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.hint = hint

    def __str__(self) -> str:
        if not self.hint:
            return self.problem
        # A problem of several lines may end in a command to paste: keep the hint out of that line.
        joint = "\n" if "\n" in self.problem else "; "
        return f"{self.problem}{joint}{self.hint}"

    def __reduce__(self) -> tuple[Any, ...]:
        # By default an exception is pickled with its positional arguments only; ours have keywords too.
        return _revive, (type(self), self.args, vars(self))


def _revive(kind: type[TightropeError], args: tuple[Any, ...], parts: dict[str, Any]) -> TightropeError:
    error = kind.__new__(kind, *args)
    vars(error).update(parts)
    return error


class UsageError(TightropeError):
    """A command line that cannot be carried out, such as one that names a missing folder.

    Examples
    --------
    >>> print(UsageError("there is no folder runs/spear", hint="give a run folder"))
    there is no folder runs/spear; give a run folder
    """


class SpaceError(TightropeError):
    """A space that cannot be used, or a config that does not belong to its space.

    Parameters
    ----------
    problem : str
        What is wrong, as a clause without a full stop.
    key : str or None, default None
        Name of the parameter.
    value : object, optional
        The value that was given.
    hint : str, default ""
        What to try next.

    Examples
    --------
    >>> error = SpaceError("not an integer from 1 to 64", key="n", value=65, hint="widen the bounds of 'n'")
    >>> print(error)
    parameter 'n', given 65: not an integer from 1 to 64; widen the bounds of 'n'
    >>> error.key, error.value
    ('n', 65)
    """

    def __init__(
        self, problem: str, *, key: str | None = None, value: object = _ABSENT, hint: str = ""
    ) -> None:
        super().__init__(problem, hint=hint)
        self.key = key
        self.has_value = value is not _ABSENT
        self.value = value if self.has_value else None

    def __str__(self) -> str:
        if self.key is None:
            return super().__str__()
        given = f", given {self.value!r}" if self.has_value else ""
        return f"parameter {self.key!r}{given}: {super().__str__()}"


class JournalError(TightropeError):
    """A journal that cannot be written or read, or that is inconsistent.

    Parameters
    ----------
    problem : str
        What is wrong, as a clause without a full stop.
    path : str, default ""
        Path of the journal.
    hint : str, default ""
        What to try next.

    Examples
    --------
    >>> print(JournalError("there is no such file", path="run.journal", hint="check the path"))
    run.journal: there is no such file; check the path
    """

    def __init__(self, problem: str, *, path: str = "", hint: str = "") -> None:
        super().__init__(problem, hint=hint)
        self.path = path

    def __str__(self) -> str:
        return f"{self.path}: {super().__str__()}" if self.path else super().__str__()


class TargetError(TightropeError):
    """A target (function or program) whose answers cannot be used.

    Parameters
    ----------
    problem : str
        What is wrong, as a clause without a full stop.
    config : mapping or None, default None
        The config that was run.
    hint : str, default ""
        What to try next.

    Attributes
    ----------
    history : object
        The runs before the error, if any, so that they are not lost.

    Examples
    --------
    >>> print(TargetError("returned nan as its cost", config={"x": 0.5}, hint="raise if it failed"))
    config {'x': 0.5}: returned nan as its cost; raise if it failed
    """

    def __init__(self, problem: str, *, config: Mapping[str, Any] | None = None, hint: str = "") -> None:
        super().__init__(problem, hint=hint)
        self.config = None if config is None else dict(config)
        self.history: Any = None

    def __str__(self) -> str:
        about = "" if self.config is None else f"config {self.config}: "
        return f"{about}{super().__str__()}"


class ExecutorError(TightropeError):
    """Trials that cannot be run, for instance because workers are missing.

    Examples
    --------
    >>> print(ExecutorError("this executor has been closed", hint="open a new one"))
    this executor has been closed; open a new one
    """


@dataclass(frozen=True, slots=True)
class Fault:
    """One error in a file, with its position.

    Parameters
    ----------
    problem : str
        What is wrong, as a clause without a full stop.
    hint : str, default ""
        What to try next.
    file : str, default ""
        Path of the file as the user gave it.
    line, column : int or None, default None
        Position in the file, counted from 1.
    key : str or None, default None
        Name of the parameter or setting.
    excerpt : str, default ""
        The text of the line.

    Examples
    --------
    >>> print(Fault("7 is not a choice", "choose 1 or 2", "a.pcs", 3, 10, key="n", excerpt="n {1,2}[7]"))
    a.pcs:3:10: 'n': 7 is not a choice; choose 1 or 2
        n {1,2}[7]
                 ^
    """

    problem: str
    hint: str = ""
    file: str = ""
    line: int | None = None
    column: int | None = None
    key: str | None = None
    excerpt: str = ""

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part not in ("", None))
        about = "" if self.key is None else repr(self.key)
        remedy = f"; {self.hint}" if self.hint else ""
        head = ": ".join(part for part in (place, about, self.problem) if part)
        return f"{head}{remedy}{self._picture}"

    @property
    def _picture(self) -> str:
        """The line with a caret below the column; a long line is cut around the column."""
        if self.column is None or not self.excerpt:
            return ""
        start = max(0, self.column - 1 - _EXCERPT_WIDTH // 2)
        start = 0 if start < len(_CUT) else start
        shown = self.excerpt[start : start + _EXCERPT_WIDTH]
        left, right = (_CUT if start else ""), (_CUT if start + len(shown) < len(self.excerpt) else "")
        # One space for each unprintable character, so that the caret is at the right column.
        shown = "".join(character if character.isprintable() else " " for character in shown)
        return f"\n    {left}{shown}{right}\n    {' ' * (len(left) + self.column - 1 - start)}^"


class ScenarioError(TightropeError):
    """A file of the user's that cannot be used, with all errors found in it.

    Parameters
    ----------
    *faults : Fault
        The errors; at least one.

    Attributes
    ----------
    faults : tuple of Fault
        The errors, sorted by file and line.
    file, line, column, key, problem, hint
        The same attributes of the first fault.

    Examples
    --------
    >>> print(ScenarioError(Fault("there is no such file", "check the path", "solver.pcs")))
    solver.pcs: there is no such file; check the path
    """

    def __init__(self, *faults: Fault) -> None:
        self.faults = tuple(
            sorted(faults, key=lambda fault: (fault.file, fault.line or 0, fault.column or 0))
        )
        first = self.faults[0]
        super().__init__(first.problem, hint=first.hint)
        self.file, self.line, self.column, self.key = first.file, first.line, first.column, first.key

    def __str__(self) -> str:
        shown = [str(fault) for fault in self.faults[:_MAX_FAULTS_SHOWN]]
        if len(self.faults) > len(shown):
            shown.append(f"... and {len(self.faults) - len(shown)} more")
        return "\n".join(shown)


class Severity(Enum):
    """Severity of a finding; an error must be fixed before a tuning can succeed."""

    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Finding:
    """A fact that the user should know; it stops nothing by itself.

    Parameters
    ----------
    code : str
        Kind of finding: a letter and two digits, see `tightrope explain`.
    severity : Severity
        Warning or error.
    where : str
        Location: a file and line, a key, or a config and its task.
    message : str
        The fact, as a clause without a full stop.
    hint : str, default ""
        What to do about it.

    Examples
    --------
    >>> print(Finding("T01", Severity.WARNING, "trial 7", "it claims 9 s, but took 2 s", "fix its timer"))
    T01 trial 7: it claims 9 s, but took 2 s; fix its timer
    """

    code: str
    severity: Severity
    where: str
    message: str
    hint: str = ""

    def __str__(self) -> str:
        remedy = f"; {self.hint}" if self.hint else ""
        return f"{self.code} {self.where}: {self.message}{remedy}"
