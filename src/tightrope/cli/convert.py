"""The verb convert: convert parameter files and scenarios."""

from pathlib import Path

import click

from tightrope.cli.files import write_file, write_scenario_file
from tightrope.cli.terminal import words
from tightrope.cli.terminal.console import Terminal, with_terminal
from tightrope.cli.terminal.output import write_result
from tightrope.errors import UsageError

_FORMATS = ("toml", "pcs", "pcs-new", "irace", "configspace")


@click.command(name="convert")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--to",
    type=click.Choice(_FORMATS),
    default="toml",
    show_default=True,
    help="Output format; pcs is the old dialect of PCS, pcs-new the new one.",
)
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    show_default="stdout",
    metavar="FILE",
    help="Output file.",
)
@click.option("-f", "--force", is_flag=True, help="Overwrite the output file if it exists.")
@with_terminal
def command(file: Path, to: str, out: Path | None, force: bool, terminal: Terminal) -> None:
    """Convert parameter files and scenarios to another format.

    FILE is a PCS file, an irace parameter file, ConfigSpace JSON, or a scenario of tightrope (TOML), SMAC,
    ParamILS, AClib or irace. A scenario becomes a TOML scenario; all other formats hold parameters only.

    \b
    Examples:
      tightrope convert solver.pcs --to irace
      tightrope convert scenario.txt -o scenario.toml
    """  # noqa: D301 (click needs the character \b, which keeps line breaks)
    if out is not None and out.exists() and not force:
        raise UsageError(f"{out} already exists", hint="choose another file, or add --force")
    from tightrope.scenario.convert import convert, holds_scenario
    from tightrope.scenario.text.source import Source

    text = convert(file, to, base=None if out is None else out.parent)
    if out is None:
        if terminal.is_json:
            terminal.data({"format": to, "text": text})
        else:
            write_result(text)
        return
    if to == "toml":
        write_scenario_file(out, text.encode("utf-8", "surrogateescape"))
    else:
        write_file(out, text)
    terminal.say(f"wrote {out}")
    terminal.data({"file": str(out), "format": to})
    if to == "toml" and holds_scenario(Source.of_file(out)):
        terminal.say(f"next: {words.command('check', out)}")
