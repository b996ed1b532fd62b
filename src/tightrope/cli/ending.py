"""What is said when a tuning ends: who won, by how much, at what cost, why it stopped, and what is next."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from tightrope.budget import Budget
from tightrope.cli import phrases, words
from tightrope.cli.limits import as_much_again
from tightrope.cli.phrases import Kind
from tightrope.errors import Finding
from tightrope.race.contrast import Claim
from tightrope.race.engine import GIVEN_UP
from tightrope.standing import Standing


def sentence(standing: Standing, kind: Kind, *, wall_s: float, reason: str) -> str:
    """Say it all in a sentence or two."""
    cost = phrases.estimated(standing.cost, kind)
    if standing.against_default.claim is Claim.SAME:
        winner = (
            f"Nothing better than the default was found among {words.count(standing.n_configs, 'config')}: "
        )
        winner += f"it costs {cost}."
    else:
        against = phrases.compared(standing.against_default, kind)
        winner = (
            f"#{standing.number} of {words.count(standing.n_configs, 'config')}: {against}; it costs {cost}."
        )
    return (
        f"{winner}\nThat took {phrases.effort(standing, kind)}; {kind.amount(standing.spent)} in "
        f"{words.duration(wall_s)}. Stopped because {reason}."
    )


def parameters(standing: Standing) -> list[str]:
    """Return one line for each parameter in which the winner differs from the default."""
    return [f"  {said}" for said in words.differences(standing.config, standing.default)]


def warnings(findings: Sequence[Finding]) -> list[str]:
    """Return the lines of the block of warnings: each code once, with fact and remedy."""
    first = {finding.code: finding for finding in reversed(findings)}
    times = Counter(finding.code for finding in findings)
    lines = []
    for code in sorted(first):
        finding = first[code]
        often = f" (and {times[code] - 1} more like it)" if times[code] > 1 else ""
        lines.append(f"  {code}  {finding.where}: {finding.message}{often}")
        if finding.hint:
            lines.append(f"       {finding.hint}")
    if lines:
        lines.append(f"  more about each:  tightrope explain {min(first)}")
    return lines


def next_command(folder: str, standing: Standing, budget: Budget, *, reason: str, has_test: bool) -> str:
    """Return the command that makes sense now that a tuning has stopped for a reason."""
    is_default = standing.against_default.claim is Claim.SAME
    if is_default and reason not in GIVEN_UP:
        return more(folder, budget)
    return words.command("validate" if has_test and not is_default else "best", folder)


def more(folder: object, budget: Budget) -> str:
    """Return the command that goes on with as much again."""
    return f"{words.command('resume', folder)} {as_much_again(budget)}"


def facts(standing: Standing, *, wall_s: float, findings: Sequence[Finding]) -> dict[str, Any]:
    """Return the same for programs."""
    cost, against = standing.cost, standing.against_default
    return {
        "incumbent": {
            "number": standing.number,
            "config": dict(standing.config),
            "cost": cost.mean,
            "interval": cost.interval,
            "is_bound": cost.is_bound,
            "tasks": cost.n_tasks,
            "unsolved": cost.n_unsolved,
        },
        "default": dict(standing.default),
        "against_default": {
            "claim": against.claim.value,
            "ratio": against.ratio,
            "interval": against.interval,
            "tasks": against.n_tasks,
            "default_runs_cut": against.n_cut,
            "is_score": against.is_score,
        },
        "runs": {
            "all": standing.n_runs,
            "done": standing.n_done,
            "capped": standing.n_capped,
            "failed": standing.n_failed,
            "lost": standing.n_lost,
        },
        "configs": standing.n_configs,
        "instances": {"incumbent": standing.n_seen, "used": standing.n_used, "all": standing.n_instances},
        "spent": standing.spent,
        "spared_at_most": standing.spared,
        "wall_s": wall_s,
        "warnings": [
            {"code": each.code, "where": each.where, "message": each.message, "hint": each.hint}
            for each in findings
        ],
    }
