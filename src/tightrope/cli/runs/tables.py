"""Runs in the formats of other programs: pure functions from a history to text."""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from math import isnan
from typing import Any

from tightrope.cli.terminal.console import plain
from tightrope.race.objective import Objective, score_of
from tightrope.records import Config, Run, Status
from tightrope.space import Space
from tightrope.store.history import History

_SMAC_STATUS = {Status.DONE: 1, Status.FAILED: 2, Status.CAPPED: 3}  # SUCCESS, CRASHED, TIMEOUT


@dataclass(frozen=True, slots=True)
class Runs:
    """All runs, and the number of each config, as it is shown elsewhere."""

    history: History
    numbers: Mapping[Config, int]


def rows(runs: Runs) -> Iterator[dict[str, Any]]:
    """Yield each run as a flat row, its config apart; what is not known is None."""
    columns = runs.history.columns
    for i, run in enumerate(runs.history):
        trial, outcome = run.trial, run.outcome
        has_cost = outcome.status in (Status.DONE, Status.CAPPED)
        ended_s = float(columns.ended_s[i])
        yield {
            "trial": trial.id,
            "config": runs.numbers[trial.config],
            "instance": trial.task.instance,
            "seed": trial.task.seed,
            "cap": trial.cap,
            "status": outcome.status.value,
            "cost": outcome.cost if has_cost else None,
            "spent": outcome.spent,
            "wall_s": outcome.wall_s,
            "cpu_s": outcome.cpu_s,
            "ended": None if isnan(ended_s) else datetime.fromtimestamp(ended_s, UTC).isoformat(),
            "note": outcome.note,
            "values": dict(trial.config),
        }


def as_csv(runs: Runs, space: Space) -> str:
    """Return one line for each run; parameters come last, as `param.NAME`, empty where not in use."""
    text = io.StringIO(newline="")
    writer: Any = None
    for row in rows(runs):
        values = row.pop("values")
        row |= {f"param.{name}": values.get(name) for name in space.names}
        if writer is None:
            writer = csv.DictWriter(text, fieldnames=list(row), lineterminator="\n")
            writer.writeheader()
        writer.writerow(row)
    return text.getvalue()


def as_jsonl(runs: Runs, space: Space) -> str:
    """Return one JSON object for each run, on a line each."""
    return "".join(json.dumps(plain(row), allow_nan=False) + "\n" for row in rows(runs))


def as_configspace(runs: Runs, space: Space) -> str:
    """Return the space as ConfigSpace's JSON."""
    return json.dumps(space.configspace.to_serialized_dict(), indent=2) + "\n"


def as_smac3(runs: Runs, objective: Objective) -> str:
    """Return what SMAC3 2 keeps in its runhistory.json, as far as it has words for it.

    It has none for a run that was stopped below the ceiling: such a run is a TIMEOUT there, its cost the
    bound that was reached, and `additional_info` says so. A failure costs ceiling x par. Of several runs of
    one config on one task the one that tells most is kept; runs that were lost are left out.
    """
    ended_s = runs.history.columns.ended_s
    told: dict[tuple[int, str, int], tuple[Run, float]] = {}
    for i, run in enumerate(runs.history):
        if run.outcome.status is Status.LOST:
            continue
        key = (runs.numbers[run.trial.config] + 1, run.trial.task.instance, run.trial.task.seed)
        if key not in told or _tells_more(run, told[key][0]):
            told[key] = run, float(ended_s[i])
    configs = {number: dict(run.trial.config) for (number, _, _), (run, _) in told.items()}
    written = {
        "stats": {"submitted": len(told), "finished": len(told), "running": 0},
        "data": [_smac_entry(key, run, at_s, objective) for key, (run, at_s) in told.items()],
        "configs": {str(number): plain(config) for number, config in configs.items()},
        "config_origins": {str(number): "tightrope" for number in configs},
    }
    return json.dumps(written, indent=2, allow_nan=False) + "\n"


def _tells_more(run: Run, other: Run) -> bool:
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
