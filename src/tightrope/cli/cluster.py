"""The verb cluster: write the batch file that tunes a scenario on a cluster."""

import shlex
import sys
from math import inf
from pathlib import Path
from typing import Any

import click

from tightrope.cli.files import require_scenario, write_file
from tightrope.cli.options import Duration, Size
from tightrope.cli.runs.folder import folder_for
from tightrope.cli.terminal.console import Terminal, with_terminal
from tightrope.errors import UsageError

_MARGIN = 1.1  # memory beyond what a run may use, for its worker


@click.command()
@click.argument("system", type=click.Choice(["slurm"]))
@click.argument("scenario", type=click.Path(path_type=Path), default=Path("scenario.toml"))
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    metavar="N",
    default=16,
    show_default=True,
    help="Runs at the same time.",
)
@click.option(
    "--cores",
    type=click.IntRange(min=1),
    metavar="N",
    default=1,
    show_default=True,
    help="Cores of each run.",
)
@click.option(
    "--time",
    "time_s",
    type=Duration(),
    metavar="TIME",
    default="24h",
    show_default=True,
    help="Time limit of the job; the tuning continues in the next one.",
)
@click.option(
    "--memory",
    "memory_mb",
    type=Size(),
    metavar="SIZE",
    show_default="the scenario's limit and a tenth",
    help="Memory of each run, such as 4GB.",
)
@click.option("--partition", metavar="NAME", help="SLURM's partition.")
@click.option(
    "--constraint", metavar="NAME", help="Features of nodes: choose equal ones, so that times are comparable."
)
@click.option("--tls", is_flag=True, help="Encrypt all connections; certificates are made by openssl.")
@click.option(
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    default=Path("tune.sbatch"),
    show_default=True,
    help="The batch file.",
)
@with_terminal
def command(
    system: str, scenario: Path, memory_mb: float | None, output: Path, terminal: Terminal, **options: Any
) -> None:
    """Write a batch file that tunes SCENARIO (default: scenario.toml) on a cluster; SYSTEM is slurm.

    The job starts a scheduler, a worker for each run at a time, and the tuning. Before its time is up, it
    stops tidily and queues itself again; the next job resumes.

    \b
    Examples:
      tightrope cluster slurm
      tightrope cluster slurm solver.toml --workers 64 --time 12h --partition long --memory 4GB
    """  # noqa: D301 (click needs the character \b, which keeps line breaks)
    require_scenario(scenario, "cluster slurm")
    if output.exists():
        raise UsageError(f"{output} already exists", hint="delete it, or choose another:  --output OTHER")
    from tightrope.run.dask.slurm import SlurmJob

    run = folder_for(scenario)
    job = SlurmJob(
        name=run.name,
        file=str(output),
        folder=Path.cwd(),
        scenario=scenario,
        run=run,
        programs=Path(sys.executable).parent,
        memory_mb=_memory_mb(scenario) if memory_mb is None else memory_mb,
        **options,
    )
    write_file(output, job.text())
    terminal.data({"file": str(output), "folder": str(run)})
    terminal.say(f"wrote {output}\nnext:  sbatch {shlex.quote(str(output))}")


def _memory_mb(scenario: Path) -> float | None:
    """Return what a run may use by the scenario, and a margin; None if it has no limit."""
    from tightrope.run import CommandTarget
    from tightrope.scenario import read_scenario

    target = read_scenario(scenario, base=str(scenario.parent.absolute())).target
    limit_mb = target.memory_mb if isinstance(target, CommandTarget) else inf
    return None if limit_mb == inf else _MARGIN * limit_mb
