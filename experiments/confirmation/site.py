"""Where a recorded solver is run for real: its instances as files, and how long a count of its cost takes."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from recording.feature import measure_features
from recording.matrix import Matrix, read_matrix
from recording.program import Program
from recording.study import STUDIES, Study
from table import read_rows

from confirmation.target import ProgramTarget
from tightrope import Budget, Scenario, validate
from tightrope.errors import TightropeError
from tightrope.records import Config
from tightrope.run import LocalPool

SLOTS = 2
REPEATS = 3  # of each run whose cost is reported: CPU times differ by some per cent from run to run
RESOLUTION_S = 0.002  # how often the supervisor looks
_GUARD_S = 60.0  # a run of the default takes some hundredths of a second


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """A solver that is there, and its instances.

    Attributes
    ----------
    target : ProgramTarget
        The solver.
    test : tuple of str
        The instances that tunings never see.
    default_s : float
        Mean CPU seconds of the default config on the training instances.
    ceiling_s : float
        What the recording's ceiling is in CPU seconds, if a count takes as long as with the default config.
    """

    target: ProgramTarget
    test: tuple[str, ...]
    default_s: float
    ceiling_s: float

    def relocate(self, scenario: Scenario, *, n_default_runs: float) -> Scenario:
        """Return the same scenario in CPU seconds and with a real target."""
        return replace(
            scenario,
            target=self.target,
            test=self.test,
            ceiling=self.ceiling_s,
            resolution=RESOLUTION_S,
            budget=Budget(cost=n_default_runs * self.default_s),
        )


def open_site(name: str, *, recordings: Path, folder: Path) -> Site:
    """Write a study's instances into a folder and measure its default config."""
    matrix = read_matrix(recordings / name)
    answers = {row["name"]: row["answer"] for row in read_rows(recordings / name / "instances.csv")}
    paths = write_instances(STUDIES[name], matrix, folder)
    target = ProgramTarget(find_program_of(name), paths, answers)
    train, test = (
        tuple(np.array(matrix.instances)[matrix.is_test == is_test].tolist()) for is_test in (False, True)
    )
    seconds = _measure(target, matrix.configs[0], train, space=matrix.space)
    counts = dict(zip(matrix.instances, matrix.costs[0].tolist(), strict=True))
    ceiling_s = matrix.ceiling * seconds_a_count(seconds, counts)
    return Site(target, test, fmean(min(each, ceiling_s) for each in seconds.values()), ceiling_s)


def find_program_of(name: str) -> Program:
    """Return the solver of a study, or say why there is none that could be run as a process."""
    try:
        solver = STUDIES[name].solver()
    except TightropeError as error:
        raise SystemExit(str(error)) from error
    if not isinstance(solver, Program):
        raise SystemExit("its solver is a library and no program, so that it has no process of its own")
    return solver


def write_instances(study: Study, matrix: Matrix, folder: Path) -> dict[str, Path]:
    """Write the recorded instances, drawn again from their seeds; return where each is."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = {name: (folder / f"{name}.{study.suffix}").resolve() for name in matrix.instances}
    for (name, path), features in zip(paths.items(), matrix.features, strict=True):
        text = study.draw(int(name))
        if list(measure_features(text).values()) != features.tolist():
            raise SystemExit(f"instance {name} is not the one that was recorded: record the study anew")
        path.write_text(text, encoding="utf-8")
    return paths


def seconds_a_count(seconds: Mapping[str, float], counts: Mapping[str, float]) -> float:
    """Return what a count takes, from runs of one config on the same instances; some may never have ended."""
    ended = [name for name in seconds if np.isfinite(counts[name])]
    if not ended:
        raise SystemExit("no recorded run of the default config has ended: nothing tells what a count takes")
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
