"""How all runs are written for other programs."""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import click

from tightrope.cli.runs.folder import RunFolder
from tightrope.cli.runs.tables import Runs, as_configspace, as_csv, as_jsonl, as_smac3
from tightrope.cli.runs.write import write_file
from tightrope.cli.terminal.console import Terminal
from tightrope.cli.terminal.words import count
from tightrope.compare.progress import default_of, number_configs
from tightrope.errors import UsageError
from tightrope.race.objective import Objective
from tightrope.scenario.scenario import Scenario
from tightrope.space import Space
from tightrope.store import History, JournalReader

_PLAIN: dict[str, Callable[[Runs, Space], str]] = {
    "csv": as_csv,
    "jsonl": as_jsonl,
    "configspace": as_configspace,
}


def extract(folder: RunFolder, form: str, output: Path | None, *, terminal: Terminal) -> None:
    """Write the runs of a folder in some format into a file, or to stdout."""
    scenario = folder.scenario()
    with JournalReader(folder.journal) as reader:
        history, pending = reader.history(), reader.pending()
    numbers = {default_of(scenario): 0}
    number_configs([*(run.trial for run in history), *pending], numbers)
    if form == "parquet":
        _write_parquet(history, output)
    else:
        text = _text(form, Runs(history, numbers), scenario)
        if output is None:
            click.echo(text, nl=False)
        else:
            write_file(output, text)
    if output is not None:
        what = "the space" if form == "configspace" else count(len(history), "run")
        terminal.say(f"wrote {what} to {output}")
        terminal.data({"format": form, "runs": len(history), "file": str(output)})


def _text(form: str, runs: Runs, scenario: Scenario) -> str:
    if form == "smac3":
        return as_smac3(runs, Objective(scenario.ceiling, scenario.par))
    return _PLAIN[form](runs, Space.of(scenario.space))


def _write_parquet(history: History, output: Path | None) -> None:
    missing = [name for name in ("pandas", "pyarrow") if find_spec(name) is None]
    if missing:
        raise UsageError(
            f"parquet needs {' and '.join(missing)}",
            hint="pip install 'tightrope[parquet]', or take --format csv",
        )
    if output is None:
        raise UsageError("parquet is not for the terminal", hint="name a file, as in  -o runs.parquet")
    frame = history.to_frame()
    # Choices of one parameter may be of several kinds, which a column of this format cannot be.
    mixed = [name for name in frame.columns if frame[name].dtype == object]
    frame[mixed] = frame[mixed].map(lambda value: value if value is None else str(value))
    frame.to_parquet(output)
