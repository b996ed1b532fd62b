"""SlurmJob: the batch file that tunes a scenario on a SLURM cluster; it only composes text."""

import shlex
from dataclasses import dataclass
from math import ceil
from pathlib import PurePath

_MIB_PER_MB = 1e6 / 2**20
_MOST_NOTICE_S, _LEAST_NOTICE_S = 300, 30
_NOTICE_SHARE = 0.1  # of the time limit

_BODY = """
# Written by `tightrope cluster slurm`. Edit it as you like.
#   sbatch {file}                                  start the tuning, or continue it
#   sbatch --array=1-8 --ntasks=1 {file} join      add 8 workers to it, now or later
cd {folder} || exit
export PATH={programs}:"$PATH"
run={run}
cluster="$run/cluster"  # on a disk that all nodes share
mkdir -p "$cluster"
{security}
work() {{
  srun --cpus-per-task={cores} --kill-on-bad-exit=0 --output="$cluster/worker-%j-%t.log" \\
    dask worker --scheduler-file "$cluster/scheduler.json" --nthreads 1 --no-nanny --memory-limit 0 \\
    --no-dashboard --death-timeout 120 --local-directory "${{TMPDIR:-/tmp}}"
}}

if [ "${{1:-tune}}" = join ]; then
  work
  exit
fi
trap 'kill $(jobs -pr) 2> /dev/null' EXIT  # scheduler and workers end with this job, and those that joined it

# Shortly before the time is up, SLURM sends USR1: stop, and go back to the queue with what was measured.
driver='' is_over=''
trap 'is_over=yes; [ -z "$driver" ] || kill -TERM "$driver"' USR1
trap '[ -z "$driver" ] || kill -TERM "$driver"' TERM

rm -f "$cluster/scheduler.json"  # of a job that has ended
dask scheduler --scheduler-file "$cluster/scheduler.json" --port 0 --no-dashboard \
  --dashboard-address 127.0.0.1:0{protocol} \\
  2>> "$cluster/scheduler.log" &
work &

if [ -e "$run/settings.json" ]; then
  tightrope resume "$run" --dask "$cluster/scheduler.json" &
else
  tightrope tune {scenario} --out "$run" --dask "$cluster/scheduler.json" &
fi
driver=$!
[ -z "$is_over" ] || kill -TERM "$driver"
wait "$driver"
code=$?
while kill -0 "$driver" 2> /dev/null; do  # a signal ends `wait`, not the tuning
  wait "$driver"
  code=$?
done
if [ -n "$is_over" ] && {{ [ "$code" = 130 ] || [ "$code" = 143 ]; }}; then  # 143: it was just about to end
  scontrol requeue "$SLURM_JOB_ID"
  sleep 60  # until SLURM ends this job
fi
exit "$code"
"""

_TLS = """
# Driver, scheduler and workers encrypt what they say, and know one another by a certificate made here.
if [ ! -e "$cluster/cert.pem" ]; then
  (
    umask 077
    openssl req -x509 -newkey rsa:3072 -nodes -days 3650 -subj /CN=tightrope \\
      -keyout "$cluster/key.pem" -out "$cluster/cert.pem" 2> "$cluster/openssl.log"
  ) || exit
fi
export DASK_DISTRIBUTED__COMM__REQUIRE_ENCRYPTION=true
export DASK_DISTRIBUTED__COMM__TLS__CA_FILE="$PWD/$cluster/cert.pem"
for role in CLIENT SCHEDULER WORKER; do
  export "DASK_DISTRIBUTED__COMM__TLS__${role}__CERT=$PWD/$cluster/cert.pem"
  export "DASK_DISTRIBUTED__COMM__TLS__${role}__KEY=$PWD/$cluster/key.pem"
done
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlurmJob:
    """A tuning as a SLURM job: scheduler, workers and driver in one, which is queued again when time is up.

    Parameters
    ----------
    name : str
        Name of the job.
    file : str
        Name of the batch file, for its own comments.
    folder : PurePath
        Folder that the job works in; other paths are relative to it.
    scenario : PurePath
        The scenario file.
    run : PurePath
        The run folder.
    programs : PurePath
        Folder of the programs `tightrope` and `dask`.
    workers : int
        Runs at the same time.
    time_s : float
        Time limit of the job; the tuning continues in the next one.
    cores : int, default 1
        Cores of each run.
    memory_mb : float or None, default None
        Memory of each run; None: what SLURM grants by default.
    partition, constraint : str or None, default None
        Which nodes to use.
    tls : bool, default False
        Encrypt all connections.

    Examples
    --------
    >>> from pathlib import PurePosixPath as Path
    >>> job = SlurmJob(
    ...     name="solver", file="tune.sbatch", folder=Path("/home/me"), scenario=Path("solver.toml"),
    ...     run=Path("runs/solver"), programs=Path("/opt/venv/bin"), workers=64, time_s=86400.0,
    ... )
    >>> print(job.text().splitlines()[2])
    #SBATCH --ntasks=64
    """

    name: str
    file: str
    folder: PurePath
    scenario: PurePath
    run: PurePath
    programs: PurePath
    workers: int
    time_s: float
    cores: int = 1
    memory_mb: float | None = None
    partition: str | None = None
    constraint: str | None = None
    tls: bool = False

    @property
    def notice_s(self) -> int:
        """How long before its end SLURM warns the job."""
        return round(min(_MOST_NOTICE_S, max(_LEAST_NOTICE_S, _NOTICE_SHARE * self.time_s)))

    def text(self) -> str:
        """Return the batch file."""
        directives = "".join(f"#SBATCH --{name}={value}\n" for name, value in self._directives().items())
        body = _BODY.format(
            file=shlex.quote(self.file),
            folder=shlex.quote(str(self.folder)),
            programs=shlex.quote(str(self.programs)),
            run=shlex.quote(str(self.run)),
            scenario=shlex.quote(str(self.scenario)),
            cores=self.cores,
            security=_TLS if self.tls else "",
            protocol=" --protocol tls" if self.tls else "",
        )
        return f"#!/bin/bash\n{directives}#SBATCH --requeue\n{body}"

    def _directives(self) -> dict[str, str]:
        given = {
            "job-name": shlex.quote(self.name),
            "ntasks": str(self.workers),
            "cpus-per-task": str(self.cores),
            "mem-per-cpu": self._memory(),
            "time": slurm_time(self.time_s),
            "partition": self.partition and shlex.quote(self.partition),
            "constraint": self.constraint and shlex.quote(self.constraint),
            "signal": f"B:USR1@{self.notice_s}",
            "open-mode": "append",
        }
        return {name: value for name, value in given.items() if value}

    def _memory(self) -> str | None:
        if self.memory_mb is None:
            return None
        return f"{ceil(self.memory_mb * _MIB_PER_MB / self.cores)}M"  # SLURM's M is 2**20 bytes


def slurm_time(seconds: float) -> str:
    """Return a time limit as SLURM writes it: days-hours:minutes:seconds, rounded up to minutes.

    >>> slurm_time(90061.0)
    '1-01:02:00'
    """
    minutes = ceil(seconds / 60.0)
    days, minutes = divmod(minutes, 24 * 60)
    hours, minutes = divmod(minutes, 60)
    return f"{days}-{hours:02d}:{minutes:02d}:00"
