"""Torture that takes an hour: kills, adversarial runs and fuzzed inputs, by the thousand.

    make torture                                  1000 kills, 1000 runs, 1,000,000 inputs
    make torture ARGS="--kills 100 --inputs 0"    other numbers

An interrupted marathon resumes: each batch is written to out/marathon when it is done. A batch is seeded by
its number, so that a failure can be repeated: --batch inputs:17. The numbers of docs/reference/guarantees.md
come from here.
"""

import argparse
import json
import random
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import drivers
from contract.test_torture import CASES, run_all
from marathon.inputs import prepare, try_one
from survivors import new_mark, survivors
from torture.test_tuning import MOST_RUNS, finish, torment

Batch = Callable[[int, int], dict[str, int]]


def kill(number: int, size: int) -> dict[str, int]:
    """Kill a tuning again and again: nothing is lost or there twice, and nothing is left running."""
    rng = random.Random(f"kills {number}")
    kind = rng.choice(["command", "command", "function"])
    most = 3 if kind == "command" else 1
    kills = [(rng.randint(1, most), rng.randrange(MOST_RUNS)) for _ in range(size)]
    with tempfile.TemporaryDirectory() as folder, drivers.Drivers() as driver:
        journal = Path(folder) / "run.journal"
        repeated = torment(driver, journal, rng, kind=kind, kills=kills)
        finish(driver, journal, kind=kind)
    return {f"of a {kind}": size, "runs repeated": repeated}


def run_adversaries(number: int, size: int) -> dict[str, int]:
    """Run targets that behave badly: each is classified rightly, and nothing is left running."""
    cases = random.Random(f"runs {number}").choices(CASES, k=size)
    mark = new_mark()
    outcomes = run_all(cases, mark)
    wrong = [(case, outcomes[i]) for i, case in enumerate(cases) if outcomes[i].status is not case.status]
    assert wrong == [], wrong
    assert survivors(mark) == []
    return dict(Counter(case.way for case in cases))


def read_inputs(number: int, size: int) -> dict[str, int]:
    """Read fuzzed inputs: each is a value, or an error of its own kind."""
    rng = random.Random(f"inputs {number}")
    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder))
        return dict(Counter(try_one(rng, Path(folder)) for _ in range(size)))


@dataclass(frozen=True)
class Event:
    """One discipline of the marathon: how many there are to be, and how many at a time."""

    name: str
    batch: Batch
    total: int
    size: int


EVENTS = (
    Event("inputs", read_inputs, 1_000_000, 10_000),
    Event("runs", run_adversaries, 1000, 50),
    Event("kills", kill, 1000, 25),
)


def go(event: Event, total: int, out: Path) -> list[dict[str, Any]]:
    """Do the batches that are missing; return the records of all."""
    file = out / f"{event.name}.jsonl"
    lines = file.read_text().splitlines() if file.exists() else []
    records: list[dict[str, Any]] = [json.loads(line) for line in lines]
    for number in range(len(records), -(-total // event.size)):
        records.append(_try(event, number))
        with file.open("a") as written:
            written.write(json.dumps(records[-1]) + "\n")
        done = sum(record["size"] for record in records)
        print(f"{event.name}: {done} of {total}{'' if records[-1]['ok'] else '  FAILED'}", flush=True)
    return records


def _try(event: Event, number: int) -> dict[str, Any]:
    start_s = time.perf_counter()
    record: dict[str, Any] = {"batch": number, "size": event.size, "ok": True}
    try:
        record["counts"] = event.batch(number, event.size)
    except Exception:  # noqa: BLE001 - whatever is wrong is written down, and the marathon goes on
        record |= {"ok": False, "error": traceback.format_exc()}
    return record | {"wall_s": round(time.perf_counter() - start_s, 1)}


def summarise(name: str, records: list[dict[str, Any]]) -> str:
    """Return a row of the table."""
    done = sum(record["size"] for record in records)
    failed = [f"{name}:{record['batch']}" for record in records if not record["ok"]]
    counts = sum((Counter(record.get("counts", {})) for record in records), Counter())
    kinds = ", ".join(f"{n:,} {kind}" for kind, n in counts.most_common())
    wall_s = sum(record["wall_s"] for record in records)
    return f"| {name} | {done:,} | {', '.join(failed) or 'none'} | {wall_s / 60:.0f} min | {kinds} |"


def main() -> int:
    options = _parse()
    drivers.PATIENCE_S = 900.0  # a marathon may run beside other work
    if options.batch:
        name, _, number = options.batch.partition(":")
        (event,) = (event for event in EVENTS if event.name == name)
        print(event.batch(int(number), event.size))
        return 0
    options.out.mkdir(parents=True, exist_ok=True)
    records = {event.name: go(event, getattr(options, event.name), options.out) for event in EVENTS}
    print("\n| what | done | failed batches | time | kinds |\n| --- | --- | --- | --- | --- |")
    for name, done in records.items():
        print(summarise(name, done))
    return int(any(not record["ok"] for done in records.values() for record in done))


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for event in EVENTS:
        parser.add_argument(f"--{event.name}", type=int, default=event.total, metavar="N")
    parser.add_argument("--batch", metavar="NAME:NUMBER", help="repeat one batch, with its traceback")
    parser.add_argument("--out", type=Path, default=Path("out/marathon"))
    return parser.parse_args()
