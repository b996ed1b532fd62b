"""Export all runs of a tuning in the formats of other programs."""

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.util import find_spec
from itertools import islice
from math import isnan
from pathlib import Path
from typing import Any, Final

from tightrope.cli.files import replacing, write_file
from tightrope.cli.runs.folder import RunFolder
from tightrope.cli.terminal.console import Terminal, plain
from tightrope.cli.terminal.output import write_result
from tightrope.cli.terminal.words import count
from tightrope.compare.progress import number_configs
from tightrope.errors import UsageError
from tightrope.race.objective import Objective, score_of
from tightrope.records import MEASURES, Config, Run, Status, Trial
from tightrope.scenario.scenario import Scenario
from tightrope.space import Space
from tightrope.store import History, JournalReader
from tightrope.store.stream import Ended

_SMAC_STATUS = {Status.DONE: 1, Status.FAILED: 2, Status.CAPPED: 3}  # SUCCESS, CRASHED, TIMEOUT
_AT_ONCE: Final = 1000  # runs that are written at once


@dataclass(frozen=True, slots=True)
class NumberedRuns:
    """All runs, and the number of each config as other verbs print it."""

    history: History
    numbers: Mapping[Config, int]


def export(folder: RunFolder, form: str, output: Path | None, *, terminal: Terminal) -> None:
    """Write the runs of a folder to a file, or to stdout; csv and jsonl run by run, in little memory."""
    scenario = folder.scenario()
    n_left = 0
    with JournalReader(folder.journal) as reader:
        if form in _LINES:
            n_runs = _write_lines(_LINES[form](_rows(reader, scenario), scenario), output)
        elif form == "configspace":
            n_runs = 0
            space = Space.of(scenario.space).configspace.to_serialized_dict()
            _write_text(json.dumps(space, indent=2) + "\n", output)
        else:
            history = reader.history()
            n_runs = len(history)
            if form == "parquet":
                _write_parquet(history, output)
            else:
                runs = _numbered(history, reader.pending(), scenario)
                _write_text(as_smac3(runs, Objective(scenario.ceiling, scenario.par)), output)
                n_left = n_runs - len(_kept_for_smac3(runs))
    if output is not None:
        what = "the space" if form == "configspace" else count(n_runs - n_left, "run")
        terminal.say(f"wrote {what} to {output}{_left_out(n_left)}")
        terminal.data({"format": form, "runs": n_runs - n_left, "file": str(output)})


def _left_out(n_runs: int) -> str:
    return f"; left out: {n_runs} that were lost, or say less than another of the same task" if n_runs else ""


def _numbered(history: History, pending: Sequence[Trial], scenario: Scenario) -> NumberedRuns:
    numbers = {scenario.default_config: 0}
    number_configs([*(run.trial for run in history), *pending], numbers)
    return NumberedRuns(history, numbers)


def _write_text(text: str, output: Path | None) -> None:
    if output is None:
        write_result(text)
    else:
        write_file(output, text)


def _write_lines(lines: Iterator[str], output: Path | None) -> int:
    """Write the text of each run, some at a time, and return their number."""
    if output is None:
        n_runs = 0
        for part in _parts(lines):
            write_result("".join(part))
            n_runs += len(part)
        return n_runs
    n_runs = 0
    with replacing(output) as fresh, fresh.open("wb") as file:
        for part in _parts(lines):
            file.write("".join(part).encode("utf-8", "surrogateescape"))
            n_runs += len(part)
    return n_runs


def _parts(lines: Iterator[str]) -> Iterator[list[str]]:
    while part := list(islice(lines, _AT_ONCE)):
        yield part


def _rows(reader: JournalReader, scenario: Scenario) -> Iterator[dict[str, Any]]:
    """Yield each run as a flat row, with its config under "values"; unknown values are None.

    Configs are numbered as by `number_configs`: a journal has the trials in the order of their numbers.
    """
    numbers: dict[int, int] = {}  # of configs, by their numbers in the journal
    n_others = 0
    for step in reader.stream():
        if isinstance(step, Ended):
            yield _row(step, numbers[step.config])
        elif step.config not in numbers:
            is_default = step.trial.config == scenario.default_config
            n_others += not is_default
            numbers[step.config] = 0 if is_default else n_others


def _row(ended: Ended, number: int) -> dict[str, Any]:
    trial, outcome = ended.run.trial, ended.run.outcome
    has_cost = outcome.status in (Status.DONE, Status.CAPPED)
    return {
        "trial": trial.id,
        "config": number,
        "instance": trial.task.instance,
        "seed": trial.task.seed,
        "cap": trial.cap,
        "status": outcome.status.value,
        **{name: getattr(outcome, name) for name in MEASURES},
        **({} if has_cost else {"cost": None}),
        "ended": None if isnan(ended.ended_s) else datetime.fromtimestamp(ended.ended_s, UTC).isoformat(),
        "note": outcome.note,
        "values": dict(trial.config),
    }


def _as_jsonl(rows: Iterator[dict[str, Any]], scenario: Scenario) -> Iterator[str]:
    """Yield one line per run."""
    return (json.dumps(plain(row), allow_nan=False) + "\n" for row in rows)


def _as_csv(rows: Iterator[dict[str, Any]], scenario: Scenario) -> Iterator[str]:
    """Yield one line per run; parameters come last as `param.NAME`, empty where inactive."""
    names = Space.of(scenario.space).names
    text = io.StringIO(newline="")
    writer: Any = None
    for row in rows:
        values = row.pop("values")
        row |= {f"param.{name}": values.get(name) for name in names}
        if writer is None:
            writer = csv.DictWriter(text, fieldnames=list(row), lineterminator="\n")
            writer.writeheader()
        writer.writerow(row)
        yield text.getvalue()
        text.seek(0)
        text.truncate()


_LINES: Final[Mapping[str, Callable[[Iterator[dict[str, Any]], Scenario], Iterator[str]]]] = {
    "csv": _as_csv,
    "jsonl": _as_jsonl,
}


def as_smac3(runs: NumberedRuns, objective: Objective) -> str:
    """Return the runs as SMAC3 2 stores them in runhistory.json, as far as that format allows.

    It has no status for a run stopped below the ceiling: such a run becomes a TIMEOUT whose cost is the bound
    that was reached, and `additional_info` says so. A failure costs ceiling x par. Of several runs of a
    config on a task the most informative one is kept. Lost runs are left out.
    """
    kept = _kept_for_smac3(runs)
    configs = {number: dict(run.trial.config) for (number, _, _), (run, _) in kept.items()}
    written = {
        "stats": {"submitted": len(kept), "finished": len(kept), "running": 0},
        "data": [_smac_entry(key, run, at_s, objective) for key, (run, at_s) in kept.items()],
        "configs": {str(number): plain(config) for number, config in configs.items()},
        "config_origins": {str(number): "tightrope" for number in configs},
    }
    return json.dumps(written, indent=2, allow_nan=False) + "\n"


def _kept_for_smac3(runs: NumberedRuns) -> dict[tuple[int, str, int], tuple[Run, float]]:
    """Return one run, and when it ended, for each config and task; lost runs are left out."""
    ended_s = runs.history.columns.ended_s
    kept: dict[tuple[int, str, int], tuple[Run, float]] = {}
    for i, run in enumerate(runs.history):
        if run.outcome.status is Status.LOST:
            continue
        key = (runs.numbers[run.trial.config] + 1, run.trial.task.instance, run.trial.task.seed)
        if key not in kept or _is_more_informative(run, kept[key][0]):
            kept[key] = run, float(ended_s[i])
    return kept


def _is_more_informative(run: Run, other: Run) -> bool:
    """Whether a run is exact where the other is a bound, or the higher of two bounds."""
    one, two = score_of(run.outcome), score_of(other.outcome)
    return (one.exact, one.cost) > (two.exact, two.cost)


def _smac_entry(
    key: tuple[int, str, int], run: Run, ended_s: float, objective: Objective
) -> Mapping[str, Any]:
    number, instance, seed = key
    outcome = run.outcome
    is_failure = outcome.status is Status.FAILED
    at_s = 0.0 if isnan(ended_s) else ended_s
    return {
        "config_id": number,
        "instance": instance or None,
        "seed": seed,
        "budget": None,
        "cost": objective.ceiling * objective.par if is_failure else outcome.cost,
        "time": outcome.wall_s,
        "cpu_time": outcome.cpu_s,
        "status": _SMAC_STATUS[outcome.status],
        "starttime": at_s - outcome.wall_s,
        "endtime": at_s,
        "additional_info": {
            "cap": plain(run.trial.cap),
            "cost_is_a_bound": run.censored,
            "note": outcome.note,
        },
    }


def _write_parquet(history: History, output: Path | None) -> None:
    missing = [name for name in ("pandas", "pyarrow") if find_spec(name) is None]
    if missing:
        raise UsageError(
            f"--format parquet needs {' and '.join(missing)}",
            hint="pip install 'tightrope[parquet]', or use --format csv",
        )
    if output is None:
        raise UsageError("--format parquet cannot go to stdout", hint="name a file:  -o runs.parquet")
    frame = history.to_frame()
    # Choices of one parameter may have several types, which a Parquet column cannot hold.
    mixed = [name for name in frame.columns if frame[name].dtype == object]
    frame[mixed] = frame[mixed].map(lambda value: value if value is None else _encodable(str(value)))
    with replacing(output) as fresh:
        frame.to_parquet(fresh)


def _encodable(text: str) -> str:
    """Return a text that Parquet can hold: bytes that are not UTF-8 become escapes."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
