"""The verb validate: compare the best config with the default on test instances."""

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from tightrope.cli.main import Exit
from tightrope.cli.runs.folder import RunFolder, chosen_folder
from tightrope.cli.terminal import words
from tightrope.cli.terminal.console import Terminal, with_terminal
from tightrope.cli.terminal.output import one_line
from tightrope.cli.terminal.signals import tidy_stop

if TYPE_CHECKING:
    from tightrope.api.validation import Validation
    from tightrope.compare.match import Contender
    from tightrope.scenario.scenario import Scenario

    Contenders = Mapping[str, Mapping[str, Any]]

_CONFIGS = "default,best"


@click.command("validate")
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(path_type=Path))
@click.option(
    "--configs",
    default=_CONFIGS,
    show_default=True,
    metavar="LIST",
    help="What to compare with the first: default, best, stripped, or files of JSON or TOML.",
)
@click.option("--repeat", type=click.IntRange(1), default=1, help="Runs of each instance, seed after seed.")
@click.option(
    "--set",
    "on",
    type=click.Choice(["test", "train"]),
    default="test",
    show_default=True,
    help="Instances to run on; those of the training are optimistic.",
)
@click.option("--workers", type=click.IntRange(1), metavar="N", help="Runs at once; else as in the tuning.")
@with_terminal
def command(
    folder: Path | None,
    configs: str,
    repeat: int,
    on: Literal["test", "train"],
    workers: int | None,
    terminal: Terminal,
) -> Exit:
    """Run the default and the best config of the tuning in DIR on the test instances, and compare them.

    Every run may take up to the ceiling. Runs are kept in DIR/validation.journal: after Ctrl-C or kill -9 the
    same command resumes, and finished runs are not repeated. DIR defaults to the latest folder in ./runs.

    \b
    Examples:
      tightrope validate
      tightrope validate runs/solver --repeat 3 --configs default,best,mine.json
    """  # noqa: D301 (click's mark of lines that are to stay as they are)
    opened = RunFolder.open(chosen_folder(folder, terminal))
    if workers is not None:
        opened = replace(opened, settings=replace(opened.settings, workers=workers))
    scenario = opened.scenario()
    again = words.command("validate", opened.path)
    if on == "test" and not scenario.test:
        return _refuse(again, terminal)
    from tightrope.cli.runs.configs import read_contenders  # slow import: report wrong arguments first

    contenders = read_contenders(configs, opened, scenario, terminal)
    found = _run(opened, scenario, terminal, contenders=contenders, repeat=repeat, on=on)
    if found is None:
        _show_so_far(opened, scenario, contenders, on, terminal)
        said = _as_typed(configs=configs, repeat=repeat, on=on, workers=workers)
        terminal.result(f"stopped; nothing lost.  {again}{said}")
        return Exit.INTERRUPTED
    _show(found, terminal)
    then = _next(opened, scenario, found)
    terminal.data(found.as_dict() | {"folder": str(opened.path), "next": then})
    opened.mention_report(terminal)
    terminal.say(f"next:  {then}")
    return Exit.DONE


def _as_typed(*, configs: str, repeat: int, on: str, workers: int | None) -> str:
    """Return the options as they were typed."""
    given = {
        "--configs": None if configs == _CONFIGS else configs,
        "--repeat": None if repeat == 1 else repeat,
        "--set": None if on == "test" else on,
        "--workers": workers,
    }
    return "".join(f" {name} {shlex.quote(str(value))}" for name, value in given.items() if value is not None)


def _refuse(again: str, terminal: Terminal) -> Exit:
    terminal.data({"error": "the scenario has no test instances"})
    terminal.result("the scenario has no test instances, so there is no fair comparison.")
    terminal.say('Set some aside before the next tuning:  instances = { train = "train/*", test = "test/*" }')
    terminal.say(f"For an optimistic comparison on the training instances:  {again} --set train")
    return Exit.USAGE


def _next(folder: RunFolder, scenario: "Scenario", found: "Validation") -> str:
    """Return the sensible next command: if the best config is the default, more budget.

    If the stripped config costs no more than the best one, it is the one to use.
    """
    from tightrope.budget import Budget
    from tightrope.cli.terminal.ending import more
    from tightrope.compare.contrast import Claim

    ended = folder.settings.ended
    is_default = any(one.name == "best" and one.contrast.claim is Claim.SAME for one in found.matches)
    if is_default and (ended is None or not ended.reason.is_final):
        return more(folder.path, Budget.of(scenario.budget))
    costs = {one.name: one.cost.mean for one in found.contenders}
    is_enough = "stripped" in costs and costs["stripped"] <= costs.get("best", inf)
    return words.command("best", folder.path) + (" --stripped" if is_enough else "")


def _run(
    folder: RunFolder,
    scenario: "Scenario",
    terminal: Terminal,
    *,
    contenders: "Contenders",
    repeat: int,
    on: Literal["test", "train"],
) -> "Validation | None":
    """Run the missing runs; None if the user stopped it."""
    from tightrope.api.validate import validate
    from tightrope.cli.runs.executor import executor_for
    from tightrope.cli.terminal.run_progress import RunProgress

    with tidy_stop(), RunProgress(terminal, "validating") as progress:
        try:
            return validate(
                scenario,
                contenders,
                on=on,
                repeat=repeat,
                journal=folder.validation,
                executor=executor_for(folder, scenario),
                watch=progress.watch,
            )
        except KeyboardInterrupt:
            return None


def _show_so_far(
    folder: RunFolder, scenario: "Scenario", contenders: "Contenders", on: str, terminal: Terminal
) -> None:
    """Compare the configs on the tasks that all of them have done."""
    from tightrope.api.validate import validated_so_far
    from tightrope.cli.terminal.phrases import Kind

    is_time = Kind.of(scenario).is_time
    found = validated_so_far(scenario, contenders, on=on, journal=folder.validation, is_time=is_time)
    if found is None:
        terminal.say("no task has been done by all configs yet, so there is no comparison")
        return
    n_tasks = words.count(found.contenders[0].cost.n_tasks, "task")
    terminal.say(f"so far, on the {n_tasks} that all configs have done:")
    _show(found, terminal)
    terminal.data(found.as_dict() | {"folder": str(folder.path), "stopped": True})


def _show(found: "Validation", terminal: Terminal) -> None:
    for line in _table(found):
        terminal.say(line)
    for each in found.matches:
        terminal.result(terminal.folded(found.sentence(each)), style="bold")
    for finding in found.findings:
        terminal.warn(f"  {one_line(str(finding))}")


def _table(found: "Validation") -> Iterator[str]:
    """Write one row for each config."""
    width = max(6, *(len(one_line(one.name)) for one in found.contenders))
    head = f"{'mean':>12}  {'median':>12}  {'solved':>9}  {'timeouts':>8}  {'failed':>6}"
    yield f"  {'config':<{width}}  {head}"
    for one in found.contenders:
        n_runs = one.n_solved + one.n_timeouts + one.n_failures
        yield (
            f"  {one_line(one.name):<{width}}  {_mean(one, found):>12}  {_cost(one.median, found):>12}  "
            f"{f'{one.n_solved}/{n_runs}':>9}  {one.n_timeouts:>8}  {one.n_failures:>6}"
        )
    if any(one.cost.n_unsolved for one in found.contenders):
        worth = _cost(found.ceiling * found.par, found)
        yield f"  a run that was not solved counts {worth}"


def _mean(one: "Contender", found: "Validation") -> str:
    sign = ">= " if one.cost.n_unsolved and found.par == 1 else ""
    return sign + _cost(one.cost.mean, found)


def _cost(value: float, found: "Validation") -> str:
    return words.cost(value, is_time=found.is_time)
