"""The status of a tuning: lines of one screen for people, JSON for programs."""

from tightrope.budget import Budget
from tightrope.cli.runs.folder import RunFolder
from tightrope.cli.runs.replay import Replayed
from tightrope.cli.runs.view import LABEL_WIDTH
from tightrope.cli.terminal import ending, phrases, words
from tightrope.cli.terminal.phrases import Kind
from tightrope.compare.caveats import caveats

_MAX_IMPROVEMENTS = 5  # shown, the latest ones


def status_lines(folder: RunFolder, seen: Replayed) -> list[str]:
    """Return the lines of the status screen; the last one is the next command."""
    progress, kind = seen.progress, Kind.of(seen.scenario)
    budget = Budget.of(seen.scenario.budget)
    rows = {
        "folder": str(folder.path),
        "state": _state(seen),
        "budget": f"{phrases.used_up(budget, progress, kind, wall_s=seen.wall_s)}; "
        f"{kind.amount(progress.spent)} in {words.duration(seen.wall_s)}",
        "incumbent": f"#{progress.number} of {words.count(progress.n_configs, 'config')}, "
        f"{phrases.estimated(progress.cost, kind)}",
        "": phrases.compared(progress.against_default, kind),
        "differs in": phrases.changes(progress.config, progress.default, most=12),
        "runs": phrases.effort(progress, kind),
        "coverage": phrases.coverage(progress),
        "model": phrases.source(progress),
    }
    lines = [f"{label:{LABEL_WIDTH}}{text}" for label, text in rows.items()]
    lines += _improvements(seen, kind)
    lines += ending.warnings(caveats(seen.scenario, progress, seen.history))
    return [*lines, f"next:  {_next(folder, seen)}"]


def _improvements(seen: Replayed, kind: Kind) -> list[str]:
    recent = list(zip(seen.trajectory, seen.numbers, strict=True))[-_MAX_IMPROVEMENTS:]
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
        return f"running, {words.count(len(seen.pending), 'run')} under way, by {seen.writer}"
    if seen.reason is not None:
        budget, kind = Budget.of(seen.scenario.budget), Kind.of(seen.scenario)
        return f"ended: {phrases.reason(seen.reason, budget, kind)}"
    repeated = f"; {words.count(len(seen.pending), 'run')} will be repeated" if seen.pending else ""
    return f"stopped before its budget was spent{repeated}"


def _next(folder: RunFolder, seen: Replayed) -> str:
    if seen.writer is not None:
        return f"{words.command('status', folder.path)} --watch"
    if seen.reason is None:
        return words.command("resume", folder.path)
    return ending.next_command(
        str(folder.path),
        seen.progress,
        Budget.of(seen.scenario.budget),
        reason=seen.reason,
        has_test=bool(seen.scenario.test),
    )


def status_as_json(folder: RunFolder, seen: Replayed) -> dict[str, object]:
    """Return the status as a JSON object."""
    progress = seen.progress
    findings = caveats(seen.scenario, progress, seen.history)
    return {
        "folder": str(folder.path),
        "is_under_way": seen.writer is not None,
        "reason": None if seen.reason is None else seen.reason.text,
        "pending": len(seen.pending),
        **ending.facts(progress, wall_s=seen.wall_s, findings=findings),
        "next": _next(folder, seen),
    }
