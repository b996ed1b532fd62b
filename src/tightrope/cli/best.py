"""The verb best: print the best config."""

from pathlib import Path

import click

from tightrope.cli import phrases
from tightrope.cli.console import Voice, speaking_aside
from tightrope.cli.folder import RunFolder, chosen_folder
from tightrope.cli.main import Exit
from tightrope.cli.phrases import Kind
from tightrope.cli.replay import Replay
from tightrope.cli.winner import FORMATS, as_cli
from tightrope.run import CommandTarget


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), metavar="[DIR]", required=False)
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMATS)),
    default="cli",
    show_default=True,
    help="cli: the command line; json, toml: its values; pcs: the parameters with these defaults; "
    "irace: a configurations file.",
)
@speaking_aside
def command(folder: Path | None, form: str, voice: Voice) -> Exit:
    """Print the best config that the tuning in DIR (the latest in ./runs) has found.

    What is asked for goes to stdout, what else there is to say to stderr.

    \b
    tightrope best
    tightrope best runs/solver --format toml >> scenario.toml
    """  # noqa: D301 (click's mark of lines that are to stay as they are)
    opened = RunFolder.open(chosen_folder(folder, voice))
    seen = Replay(opened, voice).look()
    standing, scenario = seen.standing, seen.scenario
    kind = Kind.of(scenario)
    against = phrases.compared(standing.against_default, kind)
    voice.say(f"#{standing.number}: {phrases.estimated(standing.cost, kind)}; {against}", style="dim")
    if voice.is_json:
        has_command = isinstance(scenario.target, CommandTarget)
        text = as_cli(standing.config, scenario).rstrip("\n") if has_command else None
        voice.data({"number": standing.number, "config": dict(standing.config), "command": text})
        return Exit.DONE
    target = scenario.target
    if form == "cli" and isinstance(target, CommandTarget) and target.cwd not in (None, str(Path.cwd())):
        voice.say(f"to be run in {target.cwd}", style="dim")
    click.echo(FORMATS[form](standing.config, scenario), nl=False)
    return Exit.DONE
