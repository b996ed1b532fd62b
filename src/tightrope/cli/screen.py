"""Where a tuning stands, on one screen."""

from tightrope.budget import Budget
from tightrope.caveats import caveats
from tightrope.cli import ending, phrases, words
from tightrope.cli.folder import RunFolder
from tightrope.cli.phrases import Kind
from tightrope.cli.replay import Replayed

_LATEST = 5  # improvements shown
WIDTH = 12  # of the names before the rows


def screen(folder: RunFolder, seen: Replayed) -> list[str]:
    """Return the lines of one screen."""
    standing, kind = seen.standing, Kind.of(seen.scenario)
    budget = Budget.of(seen.scenario.budget)
    rows = {
        "folder": str(folder.path),
        "state": _state(seen),
        "budget": f"{phrases.progress(budget, standing, kind, wall_s=seen.wall_s)}; "
        f"{kind.amount(standing.spent)} in {words.duration(seen.wall_s)}",
        "incumbent": f"#{standing.number} of {words.count(standing.n_configs, 'config')}, "
        f"{phrases.estimated(standing.cost, kind)}",
        "": phrases.compared(standing.against_default, kind),
        "differs in": phrases.changes(standing.config, standing.default, most=12),
        "runs": phrases.effort(standing, kind),
        "coverage": phrases.coverage(standing),
        "model": phrases.source(standing),
    }
    lines = [f"{name:{WIDTH}}{text}" for name, text in rows.items()]
    lines += _improvements(seen, kind)
    lines += ending.warnings(caveats(seen.scenario, standing, seen.history))
    return [*lines, f"next:  {_next(folder, seen)}"]


def _improvements(seen: Replayed, kind: Kind) -> list[str]:
    recent = list(zip(seen.trajectory, seen.numbers, strict=True))[-_LATEST:]
    if not recent:
        return []
    lines = [
        f"  {words.clock(each.wall_s):>8}  #{number:<6}{kind.cost(each.cost)} on "
        f"{words.count(each.n_tasks, 'task')}"
        for each, number in recent
    ]
    return ["last improvements" if len(recent) > 1 else "last improvement", *lines]


def _state(seen: Replayed) -> str:
    if seen.writer is not None:
        return f"under way with {words.count(len(seen.pending), 'run')}, by {seen.writer}"
    if seen.reason is not None:
        budget, kind = Budget.of(seen.scenario.budget), Kind.of(seen.scenario)
        return f"ended: {phrases.reason(seen.reason, budget, kind)}"
    cut_off = f"; {words.count(len(seen.pending), 'run')} will be run again" if seen.pending else ""
    return f"stopped before the end of its budget{cut_off}"


def _next(folder: RunFolder, seen: Replayed) -> str:
    if seen.writer is not None:
        return f"{words.command('status', folder.path)} --watch"
    if seen.reason is None:
        return words.command("resume", folder.path)
    return ending.next_command(
        str(folder.path),
        seen.standing,
        Budget.of(seen.scenario.budget),
        reason=seen.reason,
        has_test=bool(seen.scenario.test),
    )


def facts(folder: RunFolder, seen: Replayed) -> dict[str, object]:
    """Return the same for programs."""
    standing = seen.standing
    findings = caveats(seen.scenario, standing, seen.history)
    return {
        "folder": str(folder.path),
        "is_under_way": seen.writer is not None,
        "reason": seen.reason,
        "pending": len(seen.pending),
        **ending.facts(standing, wall_s=seen.wall_s, findings=findings),
        "next": _next(folder, seen),
    }
