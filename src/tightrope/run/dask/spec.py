"""Dask: runs trials on the workers of a cluster; needs the extra `dask`."""

from dataclasses import KW_ONLY, dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

from tightrope.errors import ExecutorError
from tightrope.run.executor import Executor, usable_cores
from tightrope.run.target import Target

if TYPE_CHECKING:
    from tightrope.run.dask.connection import Connection


@dataclass(frozen=True)
class Dask:
    """Run trials on the workers of a Dask cluster, one on each thread of each worker.

    Workers may join and leave at any time; `slots` follows. If a worker dies, its runs are LOST. A worker
    that loses runs several times in a row is benched: it gets no more trials, and a finding (W01) names it.
    Cancelled runs, and runs whose driver dies, are killed on their worker. Dask's log goes to a file.

    Parameters
    ----------
    address : str or None, default=None
        The scheduler, such as "tcp://node17:8786". Without address and `scheduler_file`, a cluster of worker
        processes is started on this machine; `close` ends it.
    scheduler_file : str or None, default=None
        The file that `dask scheduler --scheduler-file` wrote, instead of an address.
    n_workers : int or None, default=None
        How many workers to wait for, or to start on this machine. None: wait for one, or start one per core.
    patience_s : float, default=60.0
        How long to wait for the scheduler, for `n_workers` at the start, and later while there is no worker.
    bench_after : int, default=3
        Bench a worker after this many losses in a row.
    log : str or None, default="dask.log"
        File for the log of this process and of the workers it starts. None: no log.

    Examples
    --------
    >>> Dask("tcp://node17:8786", n_workers=32).patience_s
    60.0
    """

    address: str | None = None
    _: KW_ONLY
    scheduler_file: str | None = None
    n_workers: int | None = None
    patience_s: float = 60.0
    bench_after: int = 3
    log: str | None = "dask.log"

    def __post_init__(self) -> None:
        if self.address is not None and self.scheduler_file is not None:
            raise ExecutorError("address and scheduler_file exclude each other", hint="leave one out")
        if self.n_workers is not None and not self.n_workers >= 1:
            raise ExecutorError(f"n_workers must be at least 1, not {self.n_workers}")
        if not self.patience_s >= 0:
            raise ExecutorError(f"patience_s must be a number of seconds >= 0, not {self.patience_s}")
        if not self.bench_after >= 1:
            raise ExecutorError(f"bench_after must be at least 1, not {self.bench_after}")

    def open(self, target: Target) -> Executor:
        """Connect, wait for workers, and return an executor for the target's trials."""
        if find_spec("distributed") is None:
            raise ExecutorError("Dask is not installed", hint="pip install 'tightrope[dask]'")
        from tightrope.run.dask.executor import DaskExecutor

        connection = self._connect()
        try:
            executor = DaskExecutor(
                connection, target, patience_s=self.patience_s, bench_after=self.bench_after
            )
        except BaseException:
            connection.close()
            raise
        try:
            executor.await_workers(self._n_expected)
        except BaseException:
            executor.close()
            raise
        return executor

    @property
    def _is_local(self) -> bool:
        return self.address is None and self.scheduler_file is None

    @property
    def _n_expected(self) -> int:
        if self.n_workers is not None:
            return self.n_workers
        return usable_cores() if self._is_local else 1

    def _connect(self) -> "Connection":
        from tightrope.run.dask.connection import Connection

        if self._is_local:
            return Connection.start_cluster(self._n_expected, log=self.log)
        where = {"address": self.address, "scheduler_file": self.scheduler_file}
        given = {key: place for key, place in where.items() if place is not None}
        return Connection.connect(given, patience_s=self.patience_s, log=self.log)
