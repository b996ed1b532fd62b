"""Write the report of run folders: once, or repeatedly while a tuning runs."""

import time
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Final

import click
import numpy as np

from tightrope.api.validate import validated_so_far
from tightrope.api.validation import Validation
from tightrope.budget import Budget
from tightrope.cli.files import write_file
from tightrope.cli.runs.ablation import read_ablation
from tightrope.cli.runs.best import as_cli
from tightrope.cli.runs.executor import default_workers
from tightrope.cli.runs.folder import RunFolder
from tightrope.cli.runs.replay import Replay, Replayed
from tightrope.cli.terminal import ending, phrases, words
from tightrope.cli.terminal.console import Terminal, plain
from tightrope.cli.terminal.phrases import Kind
from tightrope.compare.caveats import caveats
from tightrope.compare.progress import number_configs
from tightrope.errors import UsageError
from tightrope.figures.ablation import PathSummary
from tightrope.records import Config, Status
from tightrope.report.page import page
from tightrope.report.tuning import Tuning, Wording
from tightrope.run import CommandTarget
from tightrope.store.collection import without_collection

_REFRESH_S: Final = 10.0
_MOST_CHANGES: Final = 6  # of a config, on hover


def write_report(
    folders: Sequence[RunFolder], out: Path | None, *, is_opened: bool, watch: bool, terminal: Terminal
) -> None:
    """Write the page and print its path; if it is watched, until no tuning is running."""
    file = out or (folders[0].report if len(folders) == 1 else Path("report.html"))
    names = _names(folders)
    replays = [Replay(folder, terminal) for folder in folders]
    is_first = True
    while True:
        began_s = time.monotonic()
        with without_collection():
            seen = [replay.look() for replay in replays]
            _require_runs(folders, seen)
            tunings = [tuning_of(*each) for each in zip(folders, seen, names, strict=True)]
            is_running = watch and any(each.writer is not None for each in seen)
            write_file(file, page(tunings, made=_now(), refresh_s=_REFRESH_S if is_running else None))
        if is_first:
            terminal.result(f"wrote {file}")
            if is_opened:
                click.launch(str(file))
            is_first = False
        if not is_running:
            break
        # Reading a long journal takes CPU time: rest as long as that took, so as not to disturb runs.
        time.sleep(max(_REFRESH_S, time.monotonic() - began_s))
    terminal.data({"report": str(file), "folders": [str(folder.path) for folder in folders]})


def _names(folders: Sequence[RunFolder]) -> list[str]:
    """Return the name of each folder or, if names are the same, the parts of the paths that differ.

    runs/a/kissat and runs/b/kissat are called a and b.
    """
    paths = [folder.path.resolve() for folder in folders]
    names = [path.name for path in paths]
    if len(set(names)) == len(names):
        return names
    if len(set(paths)) < len(paths):
        raise UsageError("a folder is given twice", hint="give each folder once")
    parts = [path.parts for path in paths]
    n_first = _n_common(parts)
    n_last = _n_common([each[n_first:][::-1] for each in parts])
    found = ["/".join(each[n_first : len(each) - n_last]) for each in parts]
    return found if all(found) else [str(path) for path in paths]


def _n_common(parts: Sequence[Sequence[str]]) -> int:
    """Return how many parts at the start are the same in all paths."""
    columns = zip(*parts, strict=False)
    return next((i for i, column in enumerate(columns) if len(set(column)) > 1), min(map(len, parts)))


def _require_runs(folders: Sequence[RunFolder], seen: Sequence[Replayed]) -> None:
    for folder, each in zip(folders, seen, strict=True):
        if not np.any(each.history.columns.status != list(Status).index(Status.LOST)):
            raise UsageError(
                f"no run has ended yet in {folder.path}",
                hint=f"wait for the first one:  {words.command('status', folder.path)} --watch",
            )


def _now() -> str:
    return datetime.now().astimezone().isoformat(sep=" ", timespec="minutes")


def tuning_of(folder: RunFolder, seen: Replayed, name: str) -> Tuning:
    """Return what the report shows of a run folder."""
    scenario, progress, kind = seen.scenario, seen.progress, Kind.of(seen.scenario)
    columns = seen.history.columns
    numbers: dict[Config, int] = {progress.default: 0}
    number_configs([*(run.trial for run in seen.runs), *seen.pending], numbers)
    is_command = isinstance(scenario.target, CommandTarget)
    return Tuning(
        name=name,
        scenario=scenario,
        progress=progress,
        history=seen.history,
        number=np.array([numbers[config] for config in columns.configs], dtype=np.int64),
        began_s=np.array([seen.began_s[trial] for trial in columns.trial.tolist()], dtype=np.float64),
        trajectory=seen.trajectory,
        wall_s=seen.wall_s,
        slots=folder.settings.workers or default_workers(),
        sentence=ending.sentence(progress, kind, wall_s=seen.wall_s, reason=_reason(seen, kind)),
        command=as_cli(progress.config, scenario).rstrip("\n") if is_command else "",
        findings=caveats(scenario, progress, seen.history),
        validation=_validation(folder, seen),
        ablation=_ablation(folder, seen),
        is_running=seen.writer is not None,
        wording=wording_of(kind, progress.default),
    )


def wording_of(kind: Kind, default: Config) -> Wording:
    """Return how the report writes numbers and configs."""
    return Wording(
        kind.cost,
        kind.spent,
        partial(phrases.changes, default=default, most=_MOST_CHANGES),
        "s" if kind.is_time else "",
        "s" if kind.spends_time else "",
    )


def _reason(seen: Replayed, kind: Kind) -> str | None:
    if seen.writer is not None:
        return None
    if seen.reason is None:
        return "it was interrupted"
    return phrases.reason(seen.reason, Budget.of(seen.scenario.budget), kind)


def _ablation(folder: RunFolder, seen: Replayed) -> PathSummary | None:
    """Return the ablation of the present best config, if there is one."""
    facts = read_ablation(folder)
    is_of_best = facts is not None and facts["best"] == plain(dict(seen.progress.config))
    return PathSummary.of(facts) if facts is not None and is_of_best else None


def _validation(folder: RunFolder, seen: Replayed) -> Validation | None:
    """Return the comparison of default and best in the validation's journal, if it has runs of both."""
    if not folder.validation.exists() or seen.progress.number == 0:
        return None
    named = {"default": seen.progress.default, "best": seen.progress.config}
    is_time = Kind.of(seen.scenario).is_time
    for on in [name for name, part in (("test", seen.scenario.test), ("train", True)) if part]:
        if found := validated_so_far(seen.scenario, named, on=on, journal=folder.validation, is_time=is_time):
            return found
    return None
