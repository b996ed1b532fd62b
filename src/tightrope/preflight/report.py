"""CheckReport and CheckLine: the result of each check, with findings for problems."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tightrope.errors import Finding, Severity


@dataclass(frozen=True, slots=True)
class CheckLine:
    """The result of one check.

    Attributes
    ----------
    name : str
        One word for what was checked.
    text : str
        The result; empty if the findings cover it.
    findings : tuple of Finding
        Problems.
    details : str
        For a failed run: the command to paste, and its output.
    """

    name: str
    text: str = ""
    findings: tuple[Finding, ...] = ()
    details: str = ""

    @property
    def severity(self) -> Severity | None:
        """The most severe of its findings; None without findings."""
        severities = {finding.severity for finding in self.findings}
        return next((each for each in (Severity.ERROR, Severity.WARNING) if each in severities), None)

    def as_dict(self) -> dict[str, Any]:
        """Return a dict that can be written as JSON."""
        return {
            "name": self.name,
            "state": "fine" if self.severity is None else self.severity.value,
            "text": self.text,
            "findings": [
                {
                    "code": finding.code,
                    "severity": finding.severity.value,
                    "where": finding.where,
                    "message": finding.message,
                    "hint": finding.hint,
                }
                for finding in self.findings
            ],
            "details": self.details,
        }


@dataclass(frozen=True, slots=True)
class CheckReport:
    """All lines of a check; `print` shows what `tightrope check` shows."""

    lines: Sequence[CheckLine]

    @property
    def is_ready(self) -> bool:
        """Whether a tuning can start: no line has an error."""
        return all(line.severity is not Severity.ERROR for line in self.lines)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, in the order of the lines."""
        return tuple(finding for line in self.lines for finding in line.findings)

    def __str__(self) -> str:
        return "\n".join(text for line in self.lines for text in write_line(line))


@dataclass(frozen=True, slots=True)
class Marks:
    """The symbols in front of lines."""

    fine: str = "ok"
    warning: str = "!"
    error: str = "x"

    def of(self, line: CheckLine) -> str:
        """Return the symbol for a line."""
        return {None: self.fine, Severity.WARNING: self.warning, Severity.ERROR: self.error}[line.severity]


ASCII_MARKS = Marks()
MARKS = Marks("✓", "!", "✗")
_NAME_WIDTH = 13


def write_line(line: CheckLine, marks: Marks = ASCII_MARKS) -> list[str]:
    """Return the text of a line: its first part, then further findings and details on separate lines."""
    width = max(len(mark) for mark in (marks.fine, marks.warning, marks.error))
    parts = [line.text] if line.text else []
    parts += [_describe(finding) for finding in line.findings]
    first, *rest = parts or ["no result"]
    indent = " " * (2 + width + 1 + _NAME_WIDTH)
    shown = [f"  {marks.of(line):<{width}} {line.name:<{_NAME_WIDTH}}{first}"]
    shown += [indent + text for text in rest]
    shown += [f"      {text}" for text in line.details.splitlines()]
    return shown


def _describe(finding: Finding) -> str:
    hint = f"; {finding.hint}" if finding.hint else ""
    return f"{finding.message}{hint}   [{finding.code}]"


def warning(code: str, where: str, message: str, hint: str = "") -> Finding:
    """Return a finding that does not prevent a tuning."""
    return Finding(code, Severity.WARNING, where, message, hint)


def error(code: str, where: str, message: str, hint: str = "") -> Finding:
    """Return a finding that must be fixed before a tuning."""
    return Finding(code, Severity.ERROR, where, message, hint)
