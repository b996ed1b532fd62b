"""What a check found: one line for each matter, and findings for what is not as it should be."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tightrope.errors import Finding, Severity


@dataclass(frozen=True, slots=True)
class Line:
    """One matter that was looked at.

    Attributes
    ----------
    name : str
        The matter, in a word.
    text : str
        What is so; empty if the findings say it all.
    findings : tuple of Finding
        What is not as it should be.
    details : str
        The command to paste and what it printed, of a run that failed.
    """

    name: str
    text: str = ""
    findings: tuple[Finding, ...] = ()
    details: str = ""

    @property
    def severity(self) -> Severity | None:
        """The worst of its findings; None if there is none."""
        severities = {finding.severity for finding in self.findings}
        return next((each for each in (Severity.ERROR, Severity.WARNING) if each in severities), None)

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON can hold it."""
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
class Report:
    """All lines of a check; printed, it is what `tightrope check` shows."""

    lines: Sequence[Line]

    @property
    def is_ready(self) -> bool:
        """Whether nothing must be mended before a tuning."""
        return all(line.severity is not Severity.ERROR for line in self.lines)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is not as it should be, in the order of the lines."""
        return tuple(finding for line in self.lines for finding in line.findings)

    def __str__(self) -> str:
        return "\n".join(text for line in self.lines for text in written(line))


@dataclass(frozen=True, slots=True)
class Marks:
    """What stands before a line."""

    fine: str = "ok"
    warning: str = "!"
    error: str = "x"

    def of(self, line: Line) -> str:
        """Return the mark of a line."""
        return {None: self.fine, Severity.WARNING: self.warning, Severity.ERROR: self.error}[line.severity]


ASCII_MARKS = Marks()
MARKS = Marks("✓", "!", "✗")
_NAME_WIDTH = 13


def written(line: Line, marks: Marks = ASCII_MARKS) -> list[str]:
    """Write a line, with each finding that does not fit into it, and details, on lines of their own."""
    width = max(len(mark) for mark in (marks.fine, marks.warning, marks.error))
    parts = [line.text] if line.text else []
    parts += [_sentence(finding) for finding in line.findings]
    first, *rest = parts or ["nothing to say"]
    indent = " " * (2 + width + 1 + _NAME_WIDTH)
    shown = [f"  {marks.of(line):<{width}} {line.name:<{_NAME_WIDTH}}{first}"]
    shown += [indent + text for text in rest]
    shown += [f"      {text}" for text in line.details.splitlines()]
    return shown


def _sentence(finding: Finding) -> str:
    hint = f"; {finding.hint}" if finding.hint else ""
    return f"{finding.message}{hint}   [{finding.code}]"


def warning(code: str, where: str, message: str, hint: str = "") -> Finding:
    """Return a finding that one may live with."""
    return Finding(code, Severity.WARNING, where, message, hint)


def error(code: str, where: str, message: str, hint: str = "") -> Finding:
    """Return a finding that must be mended."""
    return Finding(code, Severity.ERROR, where, message, hint)
