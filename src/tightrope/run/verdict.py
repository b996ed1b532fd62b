"""Derives the outcome of a trial from how its command ended and what it printed; runs nothing."""

import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, isclose

from tightrope.errors import Finding, Severity
from tightrope.records import Outcome, Status, Trial
from tightrope.run.answer import Answer, Claim, Reader
from tightrope.run.printed import number
from tightrope.run.start_error import start_error_of
from tightrope.run.supervise.report import Ending, Reason

_NEAR_CAP = 0.9  # share of the cap from which on a reported timeout is accepted
_FAR_SHARE, _FAR_S = 0.25, 0.25  # a claimed time that is off by more than both gives a finding
_SAME_SHARE = 1e-6  # two optima that differ by less are equal
_TAIL_CHARACTERS = 2000


@dataclass(frozen=True, slots=True)
class Rules:
    """How outcomes are derived: the clock, the reader of answers, and the known solutions."""

    clock: str
    reader: Reader
    expected: Mapping[str, str | float] = field(default_factory=dict)

    def spent(self, ending: Ending) -> float:
        """Return the time used, on the clock."""
        return ending.cpu_s if self.clock == "cpu" else ending.wall_s


@dataclass(frozen=True, slots=True)
class Verdict:
    """Status, cost and note. A failed or lost run has no cost: inf."""

    status: Status
    cost: float = inf
    note: str = ""


def outcome_from_ending(
    trial: Trial, ending: Ending, rules: Rules, *, command: Sequence[str]
) -> tuple[Outcome, tuple[Finding, ...]]:
    """Return the outcome of a trial, and findings about it."""
    answer = rules.reader.read(ending) if ending.reason is Reason.EXITED else None
    spent = rules.spent(ending)
    verdict = (
        _verdict_of_stopped(trial, ending, rules)
        if answer is None
        else _verdict_of_exited(trial, spent, answer, rules)
    )
    note = verdict.note
    if verdict.status is Status.FAILED:
        note = _explain(note, ending, command)
    outcome = Outcome(
        trial.id, verdict.status, verdict.cost, spent, wall_s=ending.wall_s, cpu_s=ending.cpu_s, note=note
    )
    return outcome, tuple(_findings(trial, ending, answer, rules))


def _verdict_of_stopped(trial: Trial, ending: Ending, rules: Rules) -> Verdict:
    used = f"{ending.cpu_s:.3g} s of CPU time in {ending.wall_s:.3g} s"
    match ending.reason:
        case Reason.CAP if not rules.reader.prints_cost:
            return Verdict(Status.CAPPED, trial.cap)
        case Reason.CANCELLED if not rules.reader.prints_cost:
            return Verdict(Status.CAPPED, min(rules.spent(ending), trial.cap), "cancelled")
        case Reason.CAP:
            return Verdict(Status.FAILED, note=f"it printed no cost within its time limit; it used {used}")
        case Reason.GUARD:
            note = f"it seems to sleep: it used {used}; use clock='wall' for targets that wait"
            return Verdict(Status.FAILED, note=note)
        case Reason.HIDDEN:
            note = f"it hides its CPU time: it was busy, but {used} could be accounted for"
            return Verdict(Status.FAILED, note=note)
        case Reason.MEMORY:
            return Verdict(Status.FAILED, note=f"it held {ending.peak_mb:.0f} MB, more than its memory limit")
        case Reason.UNSTARTED:
            status = Status.FAILED if start_error_of(ending) is None else Status.LOST
            return Verdict(status, note=f"cannot be started: {os.strerror(ending.error_number)}")
        case _:
            return Verdict(Status.LOST, note=f"stopped without a result: {ending.reason.value}")


def _verdict_of_exited(trial: Trial, spent: float, answer: Answer, rules: Rules) -> Verdict:
    timed = not rules.reader.prints_cost
    if timed and spent >= trial.cap:
        return Verdict(Status.CAPPED, trial.cap)
    if answer.claim is Claim.TIMEOUT:
        reached = spent if timed else answer.cost
        return _verdict_of_timeout(trial.cap, reached, answer.note, unit=" s" if timed else "")
    if answer.claim is Claim.UNREAD:
        return Verdict(Status.LOST, note=answer.note)
    if answer.claim is not Claim.SOLVED:
        return Verdict(Status.FAILED, note=answer.note)
    if wrong := contradiction(answer.solution, rules.expected.get(trial.task.instance)):
        return Verdict(Status.FAILED, note=wrong)
    cost = spent if timed or answer.cost is None else answer.cost
    if cost >= trial.cap:
        return Verdict(Status.CAPPED, trial.cap)
    return Verdict(Status.DONE, cost, answer.note)


def _verdict_of_timeout(cap: float, reached: float | None, note: str, *, unit: str) -> Verdict:
    """Accept a reported timeout if the cost, measured or printed, came near the cap."""
    if reached is None:
        return Verdict(Status.FAILED, note=f"{note}, but printed no cost to compare with its cap")
    if reached >= _NEAR_CAP * cap:
        return Verdict(Status.CAPPED, cap, note)
    early = f"{note} after {reached:.3g}{unit}, well before its cap of {cap:.6g}{unit}"
    return Verdict(Status.FAILED, note=early)


def contradiction(solution: str | None, expected: str | float | None) -> str:
    """Describe how a solution contradicts the expected one; empty if it does not."""
    if expected is None:
        return ""
    if solution is None:
        return f"wrong answer: none, expected {expected}"
    found, wanted = number(solution), number(expected)
    if found is not None and wanted is not None:
        is_same = isclose(found, wanted, rel_tol=_SAME_SHARE, abs_tol=_SAME_SHARE)
    else:
        is_same = _normalize(solution) == _normalize(str(expected))
    return "" if is_same else f"wrong answer: {solution}, expected {expected}"


def _normalize(solution: str) -> str:
    text = solution.strip().lower()
    return {"satisfiable": "sat", "unsatisfiable": "unsat"}.get(text, text)


def _explain(note: str, ending: Ending, command: Sequence[str]) -> str:
    """Add what is needed to investigate a failure: the command to paste, and its last output."""
    parts = [note, f"$ {shlex.join(command)}"]
    for name, output in (("stdout", ending.stdout), ("stderr", ending.stderr)):
        if tail := output.text.rstrip()[-_TAIL_CHARACTERS:]:
            parts.append(f"{name}: {tail}")
    return "\n".join(parts)


def _findings(trial: Trial, ending: Ending, answer: Answer | None, rules: Rules) -> Iterator[Finding]:
    where = f"trial {trial.id}" + (f" on {trial.task.instance}" if trial.task.instance else "")
    spent = rules.spent(ending)
    if answer is not None and _is_far(answer, spent, rules):
        yield Finding(
            "T01",
            Severity.WARNING,
            where,
            f"it reported {answer.time_s:.3g} s, but {spent:.3g} s of {rules.clock} time were measured",
            "the measured time counts; if the difference is start-up, shorten it",
        )
    if ending.leftover:
        yield Finding(
            "T02",
            Severity.WARNING,
            where,
            f"it exited while {ending.leftover} of its processes were still running; they were killed",
            "make the command wait for its children; their time counts as its own",
        )
    if answer is not None and answer.claim is Claim.ABORT:
        yield Finding(
            "T03", Severity.ERROR, where, "it reported ABORT: every run would fail", "see its output"
        )
    if ending.stubborn:
        yield Finding(
            "T04",
            Severity.ERROR,
            where,
            f"{ending.stubborn} of its processes could not be killed and may still be running",
            "look for processes of another user, or processes that hang in the kernel",
        )


def _is_far(answer: Answer, measured_s: float, rules: Rules) -> bool:
    claimed_s = answer.time_s
    if claimed_s is None or claimed_s < 0:  # negative means not measured, by convention
        return False
    if claimed_s == 0 and rules.reader.prints_cost:  # common in wrappers whose cost is not time
        return False
    return abs(claimed_s - measured_s) > max(_FAR_S, _FAR_SHARE * measured_s)
