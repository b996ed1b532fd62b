"""The verb explain: what the code of a finding means, and what to do about it."""

from difflib import get_close_matches

import click

from tightrope.cli.terminal.console import Terminal, with_terminal
from tightrope.findings import CATALOGUE, GROUPS


@click.command("explain")
@click.argument("code", required=False)
@with_terminal
def command(code: str | None, terminal: Terminal) -> None:
    """Explain what CODE means and what to do about it. Without CODE, list all codes.

    \b
    Examples:
      tightrope explain
      tightrope explain B02
    """  # noqa: D301 (click needs the character \b, which keeps line breaks)
    if code is None:
        _list(terminal)
    else:
        _explain(code.strip().strip("[]").upper(), terminal)


def _list(terminal: Terminal) -> None:
    terminal.data({code: entry.title for code, entry in CATALOGUE.items()})
    if terminal.is_json:
        return
    for letter, group in GROUPS.items():
        terminal.result(group)
        for code, entry in CATALOGUE.items():
            if code.startswith(letter):
                terminal.result(f"  {code}  {entry.title}")
    terminal.say("details of one code:  tightrope explain B02")


def _explain(code: str, terminal: Terminal) -> None:
    if code not in CATALOGUE:
        raise click.UsageError(_unknown(code))
    entry = CATALOGUE[code]
    terminal.data({"code": code, "title": entry.title, "meaning": entry.meaning, "remedy": entry.remedy})
    if not terminal.is_json:
        terminal.result(f"{code}: {entry.title}\n\n{entry.meaning}\n\nWhat to do: {entry.remedy}")


def _unknown(code: str) -> str:
    near = get_close_matches(code, CATALOGUE, n=1, cutoff=0.5)
    meant = f" Did you mean {near[0]}?" if near else ""
    return f"No such code: {code!r}.{meant} `tightrope explain` lists all codes."
