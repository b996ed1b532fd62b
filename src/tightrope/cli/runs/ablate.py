"""Take the best config of a run folder apart, and report what matters."""

from dataclasses import dataclass, replace

from tightrope.api.ablate import ablate
from tightrope.api.ablation import Ablation
from tightrope.budget import Budget
from tightrope.cli.main import Exit
from tightrope.cli.runs.ablation import ablation_journal, save_ablation
from tightrope.cli.runs.best import as_cli, as_short_cli, print_config
from tightrope.cli.runs.executor import executor_for
from tightrope.cli.runs.folder import RunFolder
from tightrope.cli.runs.replay import Replay, Replayed
from tightrope.cli.terminal import phrases, words
from tightrope.cli.terminal.ablation import table
from tightrope.cli.terminal.console import Terminal
from tightrope.cli.terminal.limits import Limit, as_much_again, describe_budget
from tightrope.cli.terminal.output import write_result
from tightrope.cli.terminal.phrases import Kind
from tightrope.cli.terminal.run_progress import RunProgress
from tightrope.cli.terminal.signals import tidy_stop
from tightrope.errors import UsageError
from tightrope.records import Config, Event, Resumed, StopKind
from tightrope.run import CommandTarget
from tightrope.scenario.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Asked:
    """The options of the verb."""

    strip: bool = False
    budget: Limit | None = None
    workers: int | None = None
    n_tasks: int | None = None

    def as_typed(self) -> str:
        """Return the options as they were typed."""
        given = {
            "--budget": None if self.budget is None else f"'{self.budget.text}'",
            "--workers": self.workers,
            "--tasks": self.n_tasks,
        }
        typed = "".join(f" {name} {value}" for name, value in given.items() if value is not None)
        return typed + " --strip" * self.strip


def ablate_folder(folder: RunFolder, asked: Asked, terminal: Terminal) -> Exit:
    """Run what is missing, print the result, and save it."""
    if asked.workers is not None:
        folder = replace(folder, settings=replace(folder.settings, workers=asked.workers))
    seen = Replay(folder, terminal).look()
    again = words.command("ablate", folder.path)
    _require_gain(folder, seen)
    budget = Budget.of(seen.scenario.budget)
    if asked.budget is not None:
        budget = asked.budget.applied_to(budget)
    n_changes = len(words.differences(seen.progress.config, seen.progress.default))
    allowed = describe_budget(budget, Kind.of(seen.scenario).amount)
    terminal.say(f"#{seen.progress.number} has {words.count(n_changes, 'change')}; at most {allowed}")
    found = _run(folder, seen, budget, asked, terminal)
    if found is not None:
        save_ablation(folder, found.as_dict())
        _show(found, seen.scenario, terminal)
    if found is None or found.reason.kind is StopKind.INTERRUPTED:
        terminal.result(f"stopped; nothing lost.  {again}{asked.as_typed()}")
        return Exit.INTERRUPTED
    then = _next(folder, seen.scenario, found, budget=budget, is_given=asked.budget is not None)
    if asked.strip:
        _show_stripped(found, folder, seen.scenario, terminal)
    terminal.data(found.as_dict() | {"command": _command(found, seen.scenario)} | _where(folder, then))
    terminal.say(then if then.startswith("to ") else f"next:  {then}")
    return Exit.DONE


def _require_gain(folder: RunFolder, seen: Replayed) -> None:
    """Raise an error if the best config is the default, or is still being looked for."""
    if seen.writer is not None:
        hint = "wait until it ends, or stop it with Ctrl-C"
        raise UsageError(f"{folder.path} is being tuned by {seen.writer}", hint=hint)
    if seen.progress.config == seen.progress.default:
        more = f"{words.command('resume', folder.path)} {as_much_again(Budget.of(seen.scenario.budget))}"
        raise UsageError(
            "the best config is the default, so there is nothing to take apart", hint=f"tune on:  {more}"
        )


def _run(
    folder: RunFolder, seen: Replayed, budget: Budget, asked: Asked, terminal: Terminal
) -> Ablation | None:
    """Run the ablation; None if the user stopped it before there was anything to show."""
    executor = executor_for(folder, seen.scenario)
    with tidy_stop(), RunProgress(terminal, "ablating") as progress:

        def watch(event: Event) -> None:
            if isinstance(event, Resumed) and event.runs:
                terminal.say(f"{words.count(len(event.runs), 'run')} done before")
            progress.watch(event)

        try:
            return ablate(
                seen.scenario,
                seen.progress.config,
                history=seen.history,
                n_tasks=asked.n_tasks,
                budget=budget,
                journal=ablation_journal(folder),
                executor=executor,
                seed=folder.settings.seed,
                watch=watch,
            )
        except KeyboardInterrupt:
            return None


def _show(found: Ablation, scenario: Scenario, terminal: Terminal) -> None:
    kind = Kind.of(scenario)
    for line in table(found.route, kind):
        terminal.say(line)
    terminal.result(terminal.folded(found.sentence), style="bold")
    why = phrases.reason(found.reason, Budget.of(scenario.budget), kind)
    terminal.say(
        terminal.folded(
            f"It took {words.count(len(found.history), 'run')}; {kind.amount(found.spent)} in "
            f"{words.duration(found.wall_s)}. Stopped because {why}."
        )
    )
    for finding in found.findings:
        terminal.warn(f"  {finding}")


def _show_stripped(found: Ablation, folder: RunFolder, scenario: Scenario, terminal: Terminal) -> None:
    """Print the stripped config: as a short command line, if there is one."""
    if terminal.is_json:
        return
    config = Config(found.stripped)
    short = as_short_cli(config, scenario)
    terminal.say()
    if short is None:
        print_config(config, scenario, terminal)
    else:
        write_result(short)
        whole = f"{words.command('best', folder.path)} --stripped"
        terminal.say(f"options at the scenario's defaults are left out; with all of them:  {whole}")
    terminal.say()


def _command(found: Ablation, scenario: Scenario) -> str | None:
    if not isinstance(scenario.target, CommandTarget):
        return None
    return as_cli(Config(found.stripped), scenario).rstrip("\n")


def _where(folder: RunFolder, then: str) -> dict[str, str]:
    return {"folder": str(folder.path), "next": then}


def _next(folder: RunFolder, scenario: Scenario, found: Ablation, *, budget: Budget, is_given: bool) -> str:
    """Return the sensible next command, or how to continue."""
    if not found.route.is_complete:
        if is_given:
            return "to continue, repeat the command with a larger --budget"
        return f"{words.command('ablate', folder.path)} {as_much_again(budget)}"
    if scenario.test:
        return f"{words.command('validate', folder.path)} --configs default,best,stripped"
    return f"{words.command('best', folder.path)} --stripped"
