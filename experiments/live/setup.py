"""Setup of live runs of a recorded solver: its instances as files, and the CPU time of a unit of its cost."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from lib.recording.features import measure_features
from lib.recording.files import Recording, read_recording
from lib.recording.program import Program
from lib.recording.studies import STUDIES, Study
from lib.tables import read_rows

from live.target import ProgramTarget
from tightrope import Budget, Scenario, validate
from tightrope.errors import TightropeError
from tightrope.records import Config
from tightrope.run import LocalPool

SLOTS = 2
REPEATS = 3  # runs per reported cost: CPU times differ by some per cent from run to run
RESOLUTION_S = 0.002  # the supervisor's sampling interval
_GUARD_S = 60.0  # a run of the default takes some hundredths of a second


@dataclass(frozen=True, slots=True, eq=False)
class LiveSetup:
    """An installed solver and its instances.

    Attributes
    ----------
    target : ProgramTarget
        The solver.
    test : tuple of str
        The test instances.
    default_s : float
        Mean CPU seconds of the default config on the training instances.
    ceiling_s : float
        The recording's ceiling in CPU seconds, converted at the rate of the default config.
    """

    target: ProgramTarget
    test: tuple[str, ...]
    default_s: float
    ceiling_s: float

    def live_scenario(self, scenario: Scenario, *, n_default_runs: float) -> Scenario:
        """Return the same scenario with costs in CPU seconds and a real target."""
        return replace(
            scenario,
            target=self.target,
            test=self.test,
            ceiling=self.ceiling_s,
            resolution=RESOLUTION_S,
            budget=Budget(cost=n_default_runs * self.default_s),
        )


def make_setup(name: str, *, recordings: Path, folder: Path) -> LiveSetup:
    """Write a study's instances into a folder and measure its default config."""
    recording = read_recording(recordings / name)
    answers = {row["name"]: row["answer"] for row in read_rows(recordings / name / "instances.csv")}
    paths = write_instances(STUDIES[name], recording, folder)
    target = ProgramTarget(find_program_of(name), paths, answers)
    train, test = (
        tuple(np.array(recording.instances)[recording.is_test == is_test].tolist())
        for is_test in (False, True)
    )
    seconds = _measure(target, recording.configs[0], train, space=recording.space)
    counts = dict(zip(recording.instances, recording.costs[0].tolist(), strict=True))
    ceiling_s = recording.ceiling * seconds_per_count(seconds, counts)
    return LiveSetup(target, test, fmean(min(each, ceiling_s) for each in seconds.values()), ceiling_s)


def find_program_of(name: str) -> Program:
    """Return the solver of a study, or exit with the reason why it cannot run as a process."""
    try:
        solver = STUDIES[name].solver()
    except TightropeError as error:
        raise SystemExit(str(error)) from error
    if not isinstance(solver, Program):
        raise SystemExit("its solver is a library, not a program, so it cannot run as a process")
    return solver


def write_instances(study: Study, recording: Recording, folder: Path) -> dict[str, Path]:
    """Write the recorded instances, drawn again from their seeds; return the path of each."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = {name: (folder / f"{name}.{study.suffix}").resolve() for name in recording.instances}
    for (name, path), features in zip(paths.items(), recording.features, strict=True):
        text = study.draw(int(name))
        if list(measure_features(text).values()) != features.tolist():
            raise SystemExit(f"instance {name} differs from the recorded one: record the study again")
        path.write_text(text, encoding="utf-8")
    return paths


def seconds_per_count(seconds: Mapping[str, float], counts: Mapping[str, float]) -> float:
    """Return seconds per unit of cost, from runs of one config on the same instances without timeouts."""
    ended = [name for name in seconds if np.isfinite(counts[name])]
    if not ended:
        raise SystemExit("all recorded runs of the default config timed out: cannot convert cost to seconds")
    return sum(seconds[name] for name in ended) / sum(counts[name] for name in ended)


def _measure(
    target: ProgramTarget, config: Config, instances: Sequence[str], *, space: Any
) -> dict[str, float]:
    """Return mean CPU seconds of a config on each instance."""
    scenario = Scenario(space=space, instances=instances, ceiling=_GUARD_S, budget=_GUARD_S, target=target)
    found = validate(scenario, {"default": config}, on="train", repeat=REPEATS, executor=LocalPool(SLOTS))
    seconds = defaultdict(list)
    for run in found.history:
        if not run.done:
            raise SystemExit(
                f"the default config does not solve {run.trial.task.instance}: {run.outcome.note}"
            )
        seconds[run.trial.task.instance].append(run.outcome.cost)
    return {name: fmean(costs) for name, costs in seconds.items()}
