"""How the best config is handed over."""

from pathlib import Path

import click

from tightrope.cli.runs.config_text import FORMATS, as_cli
from tightrope.cli.runs.folder import RunFolder
from tightrope.cli.runs.replay import Replay
from tightrope.cli.terminal import phrases
from tightrope.cli.terminal.console import Terminal
from tightrope.cli.terminal.phrases import Kind
from tightrope.run import CommandTarget


def present(folder: RunFolder, form: str, terminal: Terminal) -> None:
    """Print the best config of a folder in some format, and what it is worth aside."""
    seen = Replay(folder, terminal).look()
    progress, scenario = seen.progress, seen.scenario
    kind = Kind.of(scenario)
    against = phrases.compared(progress.against_default, kind)
    terminal.say(f"#{progress.number}: {phrases.estimated(progress.cost, kind)}; {against}", style="dim")
    if terminal.is_json:
        has_command = isinstance(scenario.target, CommandTarget)
        text = as_cli(progress.config, scenario).rstrip("\n") if has_command else None
        terminal.data({"number": progress.number, "config": dict(progress.config), "command": text})
        return
    target = scenario.target
    if form == "cli" and isinstance(target, CommandTarget) and target.cwd not in (None, str(Path.cwd())):
        terminal.say(f"to be run in {target.cwd}", style="dim")
    click.echo(FORMATS[form](progress.config, scenario), nl=False)
