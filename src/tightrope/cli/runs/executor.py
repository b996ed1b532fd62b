"""The executor of a run folder: this machine's cores, or a Dask cluster."""

from joblib import cpu_count  # type: ignore[import-untyped]

from tightrope.cli.runs.folder import RunFolder
from tightrope.errors import UsageError
from tightrope.run import CommandTarget, Dask, ExecutorSpec, LocalPool, Serial
from tightrope.run.executor import usable_cores
from tightrope.scenario.scenario import Scenario

_SCHEDULER_FILE = ".json"  # suffix of the file that `dask scheduler --scheduler-file` writes


def default_workers() -> int:
    """Return the default number of parallel runs: one per physical core, less one for the model.

    Two runs on the hyper-threads of one core would slow each other down, and so be measured wrongly.
    """
    return max(1, int(cpu_count(only_physical_cores=True)) - 1)


def executor_for(folder: RunFolder, scenario: Scenario) -> ExecutorSpec:
    """Return the executor that a run folder's settings ask for."""
    settings = folder.settings
    if settings.dask is not None:
        is_file = settings.dask.endswith(_SCHEDULER_FILE)
        return Dask(
            None if is_file else settings.dask,
            scheduler_file=settings.dask if is_file else None,
            n_workers=settings.workers,
            log=str(folder.path / "dask.log"),
        )
    n = default_workers() if settings.workers is None else settings.workers
    if n == 1:
        return Serial()
    # CPU time is measured well enough where runs share cores; wall time is not.
    target = scenario.target
    is_wall = isinstance(target, CommandTarget) and target.clock == "wall"
    n_cores = usable_cores()
    if is_wall and n > n_cores:
        raise UsageError(
            f"{n} workers are more than the {n_cores} cores available here; wall time is measured wrongly "
            "where runs share a core",
            hint=f'use --workers {n_cores} or fewer, or set cost = "cpu" in the scenario',
        )
    return LocalPool(n, oversubscribe=not is_wall)
