"""The last lines of a tuning: the winner, its gain, the cost, the reason to stop, the next command."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from tightrope.budget import Budget
from tightrope.cli.terminal import phrases, words
from tightrope.cli.terminal.limits import as_much_again
from tightrope.cli.terminal.output import one_line
from tightrope.cli.terminal.phrases import Kind
from tightrope.compare.contrast import Claim
from tightrope.compare.progress import Progress
from tightrope.errors import Finding
from tightrope.records import StopReason

_MOST_CHANGES: Final = 30  # that are listed at the end


def sentence(progress: Progress, kind: Kind, *, wall_s: float, reason: str | None) -> str:
    """Return the summary of a tuning in a few sentences; without a reason to stop, it is still running."""
    cost = phrases.estimated(progress.cost, kind)
    if progress.against_default.claim is Claim.SAME:
        winner = (
            f"Nothing better than the default was found among {words.count(progress.n_configs, 'config')}: "
        )
        winner += f"it costs {cost}."
    else:
        against = phrases.compared(progress.against_default, kind)
        winner = (
            f"#{progress.number} of {words.count(progress.n_configs, 'config')}: {against}; it costs {cost}."
        )
    took = f"{phrases.effort(progress, kind)}; {kind.amount(progress.spent)} in {words.duration(wall_s)}"
    if reason is None:
        return f"{winner}\nSo far {took}. It is still running."
    return f"{winner}\nIt took {took}. Stopped because {reason}."


def parameters(progress: Progress, folder: object) -> list[str]:
    """Return one line for each change of the best config, or for the first ones and how to see all."""
    lines = [f"  {said}" for said in words.differences(progress.config, progress.default)]
    if len(lines) <= _MOST_CHANGES:
        return lines
    kept = lines[: _MOST_CHANGES - 1]
    return [
        *kept,
        f"  and {len(lines) - len(kept)} more changes; all values:  {words.command('best', folder)}",
    ]


def warnings(findings: Sequence[Finding]) -> list[str]:
    """Return the block of warnings: each code once, with its fact and remedy."""
    first = {finding.code: finding for finding in reversed(findings)}
    times = Counter(finding.code for finding in findings)
    lines = []
    for code in sorted(first):
        finding = first[code]
        often = f" (and {times[code] - 1} more like it)" if times[code] > 1 else ""
        lines.append(f"  {code}  {one_line(f'{finding.where}: {finding.message}')}{often}")
        if finding.hint:
            lines.append(f"       {one_line(finding.hint)}")
    if lines:
        lines.append(f"  more about each:  tightrope explain {min(first)}")
    return lines


def next_command(
    folder: str, progress: Progress, budget: Budget, *, reason: StopReason, has_test: bool
) -> str:
    """Return the sensible next command after a tuning has stopped."""
    is_default = progress.against_default.claim is Claim.SAME
    if is_default and not reason.is_final:
        return more(folder, budget)
    return words.command("validate" if has_test and not is_default else "best", folder)


def more(folder: object, budget: Budget) -> str:
    """Return the command that doubles the budget and resumes."""
    return f"{words.command('resume', folder)} {as_much_again(budget)}"


def facts(progress: Progress, *, wall_s: float, findings: Sequence[Finding]) -> dict[str, Any]:
    """Return the summary for JSON."""
    cost, against = progress.cost, progress.against_default
    return {
        "incumbent": {
            "number": progress.number,
            "config": dict(progress.config),
            "cost": cost.mean,
            "interval": cost.interval,
            "is_bound": cost.is_bound,
            "tasks": cost.n_tasks,
            "unsolved": cost.n_unsolved,
        },
        "default": dict(progress.default),
        "against_default": {
            "claim": against.claim.value,
            "ratio": against.ratio,
            "interval": against.interval,
            "tasks": against.n_tasks,
            "default_runs_cut": against.n_cut,
            "is_score": against.is_score,
        },
        "runs": {
            "all": progress.n_runs,
            "done": progress.n_done,
            "capped": progress.n_capped,
            "failed": progress.n_failed,
            "lost": progress.n_lost,
        },
        "configs": progress.n_configs,
        "instances": {"incumbent": progress.n_seen, "used": progress.n_used, "all": progress.n_instances},
        "spent": progress.spent,
        "spared_at_most": progress.spared,
        "wall_s": wall_s,
        "warnings": [
            {"code": each.code, "where": each.where, "message": each.message, "hint": each.hint}
            for each in findings
        ],
    }
