"""`tightrope convert`: from one kind of file to another."""

from pathlib import Path

import click

from tightrope.cli.runs.write import write_file
from tightrope.cli.terminal import words
from tightrope.cli.terminal.console import Terminal, with_terminal
from tightrope.errors import UsageError

_FORMATS = ("toml", "pcs", "pcs-new", "irace", "configspace")


@click.command(name="convert")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--to",
    type=click.Choice(_FORMATS),
    default="toml",
    show_default=True,
    help="Format of what is written; pcs is the old dialect.",
)
@click.option("-o", "--out", type=click.Path(path_type=Path), help="File to write; without it, stdout.")
@click.option("-f", "--force", is_flag=True, help="Overwrite the file if it is there.")
@with_terminal
def command(file: Path, to: str, out: Path | None, force: bool, terminal: Terminal) -> None:
    """Turn parameter files and scenarios into another format.

    FILE is a PCS file, a parameter file of irace, ConfigSpace's JSON, or a scenario: in TOML, of SMAC,
    ParamILS and AClib, or of irace. Scenarios become scenarios in TOML; all other formats hold parameters.

    \b
    tightrope convert solver.pcs --to irace
    tightrope convert scenario.txt -o scenario.toml
    """  # noqa: D301 -- click wants the character, not the letters
    if out is not None and out.exists() and not force:
        raise UsageError(f"{out} is there already", hint="name another file, or add --force")
    from tightrope.scenario.convert import convert, holds_scenario
    from tightrope.scenario.text.source import Source

    text = convert(file, to, base=None if out is None else out.parent)
    if out is None:
        if terminal.is_json:
            terminal.data({"format": to, "text": text})
        else:
            click.echo(text, nl=False)
        return
    write_file(out, text)
    terminal.say(f"wrote {out}")
    terminal.data({"file": str(out), "format": to})
    if to == "toml" and holds_scenario(Source.of_file(out)):
        terminal.say(f"next: {words.command('check', out)}")
