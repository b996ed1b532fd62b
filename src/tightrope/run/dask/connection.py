"""Connection: the client of a Dask cluster that was started here or elsewhere, and its cleanup."""

import contextlib
import logging
import tempfile
import time
from pathlib import Path
from typing import Self

from distributed import Client, LocalCluster
from distributed.security import Security
from distributed.utils import json_load_robust

from tightrope.errors import ExecutorError
from tightrope.run.dask.log import redirect

_LOCALHOST = "127.0.0.1"
_POLL_S = 0.1


class Connection:
    """A client, and the cluster if it was started here. Build it with `connect` or `start_cluster`.

    Parameters
    ----------
    client : distributed.Client
        Closed with the connection.
    cleanup : contextlib.ExitStack
        Closes everything, the client first.
    worker_log : str or None
        The file that workers log to; None if the cluster was started elsewhere.
    """

    def __init__(self, client: Client, cleanup: contextlib.ExitStack, *, worker_log: str | None) -> None:
        self.client = client
        self.worker_log = worker_log
        self._address = client.scheduler.address
        self._cleanup = cleanup

    def __str__(self) -> str:
        return str(self._address)

    def close(self) -> None:
        """Close the client, and the cluster if it was started here."""
        self._cleanup.close()

    @classmethod
    def connect(cls, where: dict[str, str], *, patience_s: float, log: str | None) -> Self:
        """Connect to the scheduler given by an `address` or a `scheduler_file`."""
        if file := where.get("scheduler_file"):
            _await_file(file, patience_s)
        _require_certificate(where.get("address") or json_load_robust(file)["address"])
        with contextlib.ExitStack() as cleanup:
            cleanup.callback(redirect(log))
            try:
                client = Client(**where, timeout=patience_s, set_as_default=False)
            except (OSError, ValueError) as error:
                (place,) = where.values()
                raise ExecutorError(
                    f"cannot reach a Dask scheduler at {place}: {error}",
                    hint="start one with `dask scheduler`, and check the address and the network",
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
                dashboard_address=f"{_LOCALHOST}:0",  # any port, and not visible to other machines
                memory_limit=0,  # runs are separate processes with their own limits
                local_directory=folder,
                silence_logs=logging.CRITICAL,  # until the plugin redirects their logs
            )
            cleanup.enter_context(cluster)
            cleanup.callback(redirect(log))
            client = cleanup.enter_context(Client(cluster, set_as_default=False))
            return cls(
                client, cleanup.pop_all(), worker_log=None if log is None else str(Path(log).resolve())
            )


def _require_certificate(address: str) -> None:
    """Raise if a connection is to be encrypted and cannot be: Dask's own error has a traceback at exit."""
    if address.startswith("tls:") and Security().get_connection_args("client").get("ssl_context") is None:
        raise ExecutorError(
            f"the Dask scheduler at {address} encrypts its connections, and this process has no certificate",
            hint="set Dask's options distributed.comm.tls, as `tightrope cluster slurm --tls` does",
        )


def _await_file(path: str, patience_s: float) -> None:
    """Wait for the scheduler's file: Dask itself would wait for ever."""
    deadline_s = time.monotonic() + patience_s
    while not Path(path).exists():
        if time.monotonic() >= deadline_s:
            raise ExecutorError(
                f"{path}: no scheduler wrote this file within {patience_s:g} s",
                hint=f"start one with `dask scheduler --scheduler-file {path}`, on a shared disk",
            )
        time.sleep(_POLL_S)
