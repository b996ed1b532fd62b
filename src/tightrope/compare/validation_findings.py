"""Warnings about a validation, as findings V01 and following."""

from collections.abc import Iterable, Sequence

from tightrope.compare.contrast import Claim
from tightrope.compare.match import Contender, Match
from tightrope.errors import Finding, Severity
from tightrope.records import Run, Status

_FEW_INSTANCES = 10


def findings_of(
    on: str, contenders: Sequence[Contender], matches: Sequence[Match], runs: Iterable[Run]
) -> list[Finding]:
    """Return the warnings about a validation."""
    found = (
        []
        if on == "test"
        else [
            _warning(
                "V02",
                "set",
                "these are the training instances; expect less on others",
                "validate on test instances",
            )
        ]
    )
    for each in matches:
        interval, claim = each.contrast.interval, each.contrast.claim
        if claim is not Claim.SAME and each.n_instances < _FEW_INSTANCES:
            message = f"it is based on {each.n_instances} instance{'' if each.n_instances == 1 else 's'}"
            found.append(_warning("V03", each.name, message, "validate on ten or more"))
        if interval is not None and interval[0] <= 1.0 <= interval[1]:
            found.append(
                _warning("V01", each.name, "the difference could be noise", "use more instances, or --repeat")
            )
    for one in contenders:
        if one.n_failures:
            found.append(_warning("V04", one.name, f"{one.n_failures} of its runs failed: {_why(one, runs)}"))
    return found


def _why(one: Contender, runs: Iterable[Run]) -> str:
    failed = (run for run in runs if run.trial.config == one.config and run.outcome.status is Status.FAILED)
    return next((run.outcome.note for run in failed), "")


def _warning(code: str, where: str, message: str, hint: str = "") -> Finding:
    return Finding(code, Severity.WARNING, where, message, hint)
