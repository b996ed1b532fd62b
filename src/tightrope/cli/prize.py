"""How the best config is handed over."""

from pathlib import Path

import click

from tightrope.cli import phrases
from tightrope.cli.console import Voice
from tightrope.cli.folder import RunFolder
from tightrope.cli.phrases import Kind
from tightrope.cli.replay import Replay
from tightrope.cli.winner import FORMATS, as_cli
from tightrope.run import CommandTarget


def present(folder: RunFolder, form: str, voice: Voice) -> None:
    """Print the best config of a folder in some format, and what it is worth aside."""
    seen = Replay(folder, voice).look()
    standing, scenario = seen.standing, seen.scenario
    kind = Kind.of(scenario)
    against = phrases.compared(standing.against_default, kind)
    voice.say(f"#{standing.number}: {phrases.estimated(standing.cost, kind)}; {against}", style="dim")
    if voice.is_json:
        has_command = isinstance(scenario.target, CommandTarget)
        text = as_cli(standing.config, scenario).rstrip("\n") if has_command else None
        voice.data({"number": standing.number, "config": dict(standing.config), "command": text})
        return
    target = scenario.target
    if form == "cli" and isinstance(target, CommandTarget) and target.cwd not in (None, str(Path.cwd())):
        voice.say(f"to be run in {target.cwd}", style="dim")
    click.echo(FORMATS[form](standing.config, scenario), nl=False)
