"""A process that knows the package and forks a driver of a tuning for each order that it reads.

Everything is told on standard output, a line of JSON each. A driver that has come to an end stays until it is
killed, so that what it left running cannot have ended with it.
"""

import json
import os
import resource
import signal
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tightrope import tune
from tightrope.errors import JournalError
from tightrope.records import Event, Finished, Incumbent
from tunings import SEED, executor_of, log_of, scenario_of


def tell(**words: Any) -> None:
    os.write(1, json.dumps(words).encode() + b"\n")


def watch(event: Event) -> None:
    if isinstance(event, Finished):
        tell(finished=event.run.trial.id)


def drive(journal: str, *, kind: Any, slots: int, runs: int, file_bytes: int | None) -> None:
    """Tune, and tell what came of it."""
    if file_bytes is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))
    os.environ["SOLVER_LOG"] = str(log_of(Path(journal)))
    scenario = scenario_of(kind, Path(journal), runs=runs)
    try:
        result = tune(scenario, journal=journal, executor=executor_of(slots), seed=SEED, watch=watch)
    except JournalError as error:
        tell(error=str(error), hint=error.hint)
    except KeyboardInterrupt:
        tell(interrupted=True)
    else:
        incumbents = [asdict_of(incumbent) for incumbent in result.trajectory]
        tell(
            best=result.best,
            cost=result.cost,
            n_tasks=result.n_tasks,
            incumbents=incumbents,
            ended=[run.trial.id for run in result.history],
            reason=str(result.reason),
            text=str(result),
        )


def asdict_of(incumbent: Incumbent) -> dict[str, Any]:
    return asdict(incumbent) | {"config": dict(incumbent.config)}


def main() -> None:
    tell(ready=True)
    while order := sys.stdin.readline():
        driver = os.fork()
        if driver == 0:
            os.setpgid(0, 0)  # as a shell does, so that Ctrl-C can be sent to all that a terminal would
            signal.signal(signal.SIGINT, signal.default_int_handler)
            tell(pid=os.getpid())
            drive(**json.loads(order))
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            while True:
                signal.pause()
        _, status = os.waitpid(driver, 0)
        tell(exit=os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main()
