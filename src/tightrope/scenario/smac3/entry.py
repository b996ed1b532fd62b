"""One entry of a run history of SMAC3: the layouts of 1.4, 2.0 and 2.4, and what its status means."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, Final, NamedTuple

from tightrope.records import Config, Outcome, Run, Status, Task, Trial

_NUMBERS: Final = {0: "RUNNING", 1: "SUCCESS", 2: "CRASHED", 3: "TIMEOUT", 4: "MEMORYOUT"}  # of 2.x
_FAILED: Final = ("CRASHED", "ABORT", "MEMOUT", "MEMORYOUT")
_STOPPED: Final = ("TIMEOUT", "CAPPED")
_UNFINISHED: Final = ("RUNNING", "STOP", "DONOTADVANCE")


@dataclass(frozen=True, slots=True)
class Meaning:
    """Whether the cost is a runtime, and the longest runtime of a run."""

    is_runtime: bool = False
    cutoff: float = inf


class _Entry(NamedTuple):
    """The parts of an entry that are used."""

    config: str
    instance: str | None
    seed: int | None
    cost: Any
    time: float
    status: str
    cpu_time: float
    info: Mapping[str, Any]


def read_entry(
    number: int, written: Any, configs: Mapping[str, Mapping[str, Any]], meaning: Meaning
) -> Run | None:
    """Return an entry as a run; None if it had not ended.

    Raises
    ------
    LookupError, TypeError, ValueError
        If it is none that SMAC3 writes.
    """
    entry = _parts(written)
    if entry.status in _UNFINISHED:
        return None
    status, cost = _result(entry, meaning)
    cap = float(entry.info.get("cap") or meaning.cutoff)
    trial = Trial(number, Config(configs[entry.config]), cap, Task(entry.instance or "", entry.seed or 0))
    outcome = Outcome(number, status, cost, entry.time, wall_s=entry.time, cpu_s=entry.cpu_time)
    return Run(trial, outcome)


def _result(entry: _Entry, meaning: Meaning) -> tuple[Status, float]:
    """Return the status of a run, and its cost or the bound on it."""
    if entry.status in _FAILED:
        return Status.FAILED, inf
    if entry.status in _STOPPED:
        if entry.info.get("cost_is_a_bound"):  # as `tightrope export` writes it
            return Status.CAPPED, _number(entry.cost)
        return (Status.CAPPED, entry.time) if meaning.is_runtime else (Status.FAILED, inf)
    if entry.status != "SUCCESS":
        raise ValueError(f"unknown status {entry.status!r}")
    return Status.DONE, _number(entry.cost)


def _number(cost: Any) -> float:
    if isinstance(cost, list):
        raise ValueError(f"{len(cost)} costs a run: only single objectives can be read")
    return float(cost)


def _parts(written: Any) -> _Entry:
    if isinstance(written, dict):  # 2.4
        cpu_time = float(written.get("cpu_time", 0.0))
        return _entry(*(written[name] for name in _NAMES), cpu_time=cpu_time)
    if len(written) == 2:  # 1.4
        (config, instance, seed, _), (cost, time, status, _, _, info) = written
        return _entry(config, instance, seed, cost, time, status["__enum__"].rpartition(".")[2], info)
    config, instance, seed, _, cost, time, status, _, _, info = written  # 2.0
    return _entry(config, instance, seed, cost, time, status, info)


_NAMES: Final = ("config_id", "instance", "seed", "cost", "time", "status", "additional_info")


def _entry(
    config: Any,
    instance: str | None,
    seed: int | None,
    cost: Any,
    time: float,
    status: int | str,
    info: Any,
    *,
    cpu_time: float = 0.0,
) -> _Entry:
    name = status if isinstance(status, str) else _NUMBERS[status]
    known = info if isinstance(info, dict) else {}
    return _Entry(str(config), instance, seed, cost, float(time), name, cpu_time, known)
