"""Dispatcher: talks to a Dask cluster on its client's event loop, and puts events into a queue."""

import asyncio
import concurrent.futures
import contextlib
from collections.abc import Coroutine
from queue import SimpleQueue
from typing import Any, NamedTuple

from distributed import CancelledError, Client, KilledWorker
from distributed.client import ClosedClientError

from tightrope.errors import ExecutorError
from tightrope.records import Trial
from tightrope.run.dask.plugin import (
    Introduction,
    TrialReport,
    TrialRunner,
    cancel_trial,
    introduce,
    lost,
    run_trial,
)
from tightrope.run.dask.workers import Worker
from tightrope.run.target import Target

_TOPIC = "all"  # on which the scheduler announces workers that join and leave
_REFRESH_S = 5.0  # between looks at the scheduler's workers; an announced change triggers a look at once
_RETRY_S = 0.2  # the same, while a worker has not yet loaded the plugin
_ANSWER_S = 10.0  # longest wait for a worker's answer
_SILENCE_S = 60.0  # a scheduler that is silent for longer is gone


class WorkerJoined(NamedTuple):
    """A worker is ready to run trials."""

    worker: Worker


class WorkerLeft(NamedTuple):
    """A worker is gone."""

    address: str


class WorkerUnfit(NamedTuple):
    """A worker is there, but cannot run trials."""

    address: str
    problem: str


class TrialEnded(NamedTuple):
    """A trial has ended."""

    token: str
    report: TrialReport


class DispatchFailed(NamedTuple):
    """An unexpected error in the background work."""

    error: BaseException


ClusterEvent = WorkerJoined | WorkerLeft | WorkerUnfit | TrialEnded | DispatchFailed


class Dispatcher:
    """Starts and cancels trials on a cluster and watches its workers, in the background.

    Every method returns at once, except `close`; what happens is put into the queue `events`.

    Parameters
    ----------
    client : distributed.Client
        Owned by the caller, and closed after the dispatcher.
    target : Target
        What is run.
    name : str
        The plugin's name, unique among the drivers of the cluster.
    log : str or None
        The file that workers log to; None: their logs are left alone.
    """

    def __init__(self, client: Client, target: Target, *, name: str, log: str | None) -> None:
        self.events: SimpleQueue[ClusterEvent] = SimpleQueue()
        self._client = client
        self._address = client.scheduler.address
        self._name = name
        self._trials: dict[str, concurrent.futures.Future[None]] = {}
        self._register(TrialRunner(target, log))
        self._watch = self._spawn(self._watch_workers())

    def start(self, token: str, trial: Trial, *, worker: Worker) -> None:
        """Start a trial; `TrialEnded` reports its end."""
        self._trials[token] = self._spawn(self._run(token, trial, worker))

    def cancel(self, token: str, *, worker: Worker) -> None:
        """Stop a trial; `TrialEnded` reports its end as usual."""
        arguments = {"workers": [worker.address], "on_error": "ignore"}
        self._spawn(self._call(cancel_trial, self._name, token, **arguments))

    def forget(self, token: str) -> None:
        """Stop waiting for a trial that is over or lost."""
        if future := self._trials.pop(token, None):
            future.cancel()

    def close(self) -> None:
        """Have all workers kill their runs, and wait until they have."""
        self._watch.cancel()
        for token in list(self._trials):
            self.forget(token)
        # The cluster is gone, or the client has given up on it.
        with contextlib.suppress(OSError, concurrent.futures.CancelledError, ClosedClientError):
            self._spawn(self._unregister()).result()

    def _register(self, plugin: TrialRunner) -> None:
        try:
            self._client.register_plugin(plugin, name=self._name)
        except Exception as error:
            with contextlib.suppress(Exception):  # workers that failed to load it cannot unload it
                self._client.unregister_worker_plugin(self._name)
            raise ExecutorError(
                f"the workers at {self._address} cannot load the target: {error}",
                hint="scheduler, workers and driver need the same packages and the target's modules",
            ) from error

    def _spawn(self, work: Coroutine[Any, Any, None]) -> concurrent.futures.Future[None]:
        future = asyncio.run_coroutine_threadsafe(work, self._client.loop.asyncio_loop)
        future.add_done_callback(self._report_error)
        return future

    def _report_error(self, future: concurrent.futures.Future[None]) -> None:
        if not future.cancelled() and (error := future.exception()) is not None:
            self.events.put(DispatchFailed(error))

    async def _call(self, function: Any, *arguments: Any, **options: Any) -> None:
        with contextlib.suppress(OSError):  # the worker is gone, and WorkerLeft will report it
            await self._client.run(function, *arguments, **options)

    async def _unregister(self) -> None:
        self._client.unsubscribe_topic(_TOPIC)
        await asyncio.wait_for(self._client.unregister_worker_plugin(self._name), 2 * _ANSWER_S)

    async def _run(self, token: str, trial: Trial, worker: Worker) -> None:
        future = self._client.submit(
            run_trial,
            self._name,
            worker.incarnation,
            token,
            trial,
            key=token,
            workers=[worker.address],
            pure=False,
            retries=0,
        )
        try:
            report = await future
        except (CancelledError, KilledWorker) as error:
            report = TrialReport(lost(trial.id, f"dropped by Dask: {error}"))
        self.events.put(TrialEnded(token, report))

    async def _watch_workers(self) -> None:
        changed = asyncio.Event()
        departed: set[str] = set()

        def note(event: tuple[float, Any]) -> None:
            message = event[1]
            if isinstance(message, dict) and message.get("action") == "remove-worker":
                departed.add(message["worker"])
            changed.set()

        self._client.subscribe_topic(_TOPIC, note)
        known: set[str] = set()
        while True:
            changed.clear()
            gone = set(departed)
            departed -= gone
            present = await self._present()
            for address in known - (present.keys() - gone):
                self.events.put(WorkerLeft(address))
                known.remove(address)
            new = [address for address in present if address not in known]
            joined = await self._add_ready({address: present[address] for address in new})
            known |= joined
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(changed.wait(), _REFRESH_S if len(joined) == len(new) else _RETRY_S)

    async def _present(self) -> dict[str, dict[str, Any]]:
        """Return the workers that the scheduler knows; none while the scheduler cannot be reached."""
        if self._client.scheduler is None:
            raise ExecutorError(
                f"the Dask scheduler at {self._address} is gone",
                hint="start scheduler and workers again, and resume the tuning",
            )
        try:
            identity = await asyncio.wait_for(self._client.scheduler.identity(), _SILENCE_S)
        except OSError:
            return {}
        return {
            address: worker
            for address, worker in identity["workers"].items()
            if worker["status"] in ("running", "paused")
        }

    async def _add_ready(self, new: dict[str, dict[str, Any]]) -> set[str]:
        """Ask new workers whether the plugin is loaded; return the addresses of those that are ready."""
        if not new:
            return set()
        try:
            question = self._client.run(introduce, self._name, workers=list(new), on_error="return")
            answers = await asyncio.wait_for(question, _ANSWER_S)
        except OSError:
            return set()
        ready = {address: answer for address, answer in answers.items() if isinstance(answer, Introduction)}
        for address, answer in answers.items():
            if address in ready:
                self.events.put(WorkerJoined(_worker(address, new[address], ready[address])))
            else:
                self.events.put(WorkerUnfit(address, f"{type(answer).__name__}: {answer}"))
        return set(ready)


def _worker(address: str, entry: dict[str, Any], introduction: Introduction) -> Worker:
    name = str(entry["name"])
    return Worker(
        address,
        identity=entry["nanny"] or name,  # a nanny survives a restart of its worker
        name=address if name == address else f"{name} ({address})",
        threads=entry["nthreads"],
        incarnation=introduction.incarnation,
        reference_s=introduction.reference_s,
    )
