"""A connection to a Dask cluster, ours or another's, and what has to be undone afterwards."""

import contextlib
import logging
import tempfile
import time
from pathlib import Path
from typing import Self

from distributed import Client, LocalCluster

from tightrope.errors import ExecutorError
from tightrope.run.dask.log import redirect

_HERE = "127.0.0.1"
_GLANCE_S = 0.1


class Connection:
    """A client, and the cluster if it was started for it. Build it with `connect` or `start_cluster`.

    Parameters
    ----------
    client : distributed.Client
        Closed with the connection.
    cleanup : contextlib.ExitStack
        Closes everything, the client first.
    worker_log : str or None
        Where workers log to, if that is for us to say.
    """

    def __init__(self, client: Client, cleanup: contextlib.ExitStack, *, worker_log: str | None) -> None:
        self.client = client
        self.worker_log = worker_log
        self._address = client.scheduler.address
        self._cleanup = cleanup

    def __str__(self) -> str:
        return str(self._address)

    def close(self) -> None:
        """Close the client, and the cluster if it is ours."""
        self._cleanup.close()

    @classmethod
    def connect(cls, where: dict[str, str], *, patience_s: float, log: str | None) -> Self:
        """Connect to the scheduler at an `address` or with a `scheduler_file`."""
        if file := where.get("scheduler_file"):
            _await_file(file, patience_s)
        with contextlib.ExitStack() as cleanup:
            cleanup.callback(redirect(log))
            try:
                client = Client(**where, timeout=patience_s, set_as_default=False)
            except (OSError, ValueError) as error:
                (place,) = where.values()
                raise ExecutorError(
                    f"no Dask scheduler can be reached at {place}: {error}",
                    hint="start one with `dask scheduler`, and check the address and the network between",
                ) from error
            cleanup.enter_context(client)
            return cls(client, cleanup.pop_all(), worker_log=None)

    @classmethod
    def start_cluster(cls, n_workers: int, *, log: str | None) -> Self:
        """Start worker processes on this machine, with one thread each."""
        with contextlib.ExitStack() as cleanup:
            folder = cleanup.enter_context(tempfile.TemporaryDirectory(prefix="tightrope-"))
            cluster = LocalCluster(
                n_workers=n_workers,
                threads_per_worker=1,
                processes=True,
                dashboard_address=f"{_HERE}:0",  # any port will do, and nobody else shall see it
                memory_limit=0,  # runs have limits of their own, and are processes of their own
                local_directory=folder,
                silence_logs=logging.CRITICAL,  # until they are told where to log to
            )
            cleanup.enter_context(cluster)
            cleanup.callback(redirect(log))
            client = cleanup.enter_context(Client(cluster, set_as_default=False))
            return cls(
                client, cleanup.pop_all(), worker_log=None if log is None else str(Path(log).resolve())
            )


def _await_file(path: str, patience_s: float) -> None:
    """Wait for the scheduler's file, since Dask would wait for ever."""
    deadline_s = time.monotonic() + patience_s
    while not Path(path).exists():
        if time.monotonic() >= deadline_s:
            raise ExecutorError(
                f"{path}: no scheduler wrote this file within {patience_s:g} s",
                hint="start one with `dask scheduler --scheduler-file` and this path, on a shared disk",
            )
        time.sleep(_GLANCE_S)
