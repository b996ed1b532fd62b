"""tightrope explain: what a code in a warning means, and what to do."""

from difflib import get_close_matches

import click

from tightrope.cli.terminal.console import Voice, speaking
from tightrope.findings import CATALOGUE, GROUPS


@click.command("explain")
@click.argument("code", required=False)
@speaking
def command(code: str | None, voice: Voice) -> None:
    """Say what CODE means and what to do about it; without CODE, list them all.

    \b
    tightrope explain
    tightrope explain B02
    """  # noqa: D301 (click's mark of lines that are to stay as they are)
    if code is None:
        _list(voice)
    else:
        _explain(code.strip().strip("[]").upper(), voice)


def _list(voice: Voice) -> None:
    voice.data({code: entry.title for code, entry in CATALOGUE.items()})
    if voice.is_json:
        return
    for letter, about in GROUPS.items():
        voice.result(about)
        for code, entry in CATALOGUE.items():
            if code.startswith(letter):
                voice.result(f"  {code}  {entry.title}")
    voice.say("more about one of them:  tightrope explain B02")


def _explain(code: str, voice: Voice) -> None:
    if code not in CATALOGUE:
        raise click.UsageError(_unknown(code))
    entry = CATALOGUE[code]
    voice.data({"code": code, "title": entry.title, "meaning": entry.meaning, "remedy": entry.remedy})
    if not voice.is_json:
        voice.result(f"{code}: {entry.title}\n\n{entry.meaning}\n\nWhat to do: {entry.remedy}")


def _unknown(code: str) -> str:
    near = get_close_matches(code, CATALOGUE, n=1, cutoff=0.5)
    meant = f" Did you mean {near[0]}?" if near else ""
    return f"There is no code {code!r}.{meant} `tightrope explain` lists them all."
