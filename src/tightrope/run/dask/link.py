"""All that is said to a Dask cluster, on the loop of its client; what is heard from it goes into a queue."""

import asyncio
import concurrent.futures
import contextlib
from collections.abc import Coroutine
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

from distributed import CancelledError, Client, KilledWorker

from tightrope.errors import ExecutorError
from tightrope.records import Trial
from tightrope.run.dask.roster import Member
from tightrope.run.dask.worker import Report, TrialRunner, cancel_trial, incarnation, lost, run_trial
from tightrope.run.target import Target

_TOPIC = "all"  # under which the scheduler tells of workers that come and go
_LOOK_S = 5.0  # between looks at who is there; changes that the scheduler tells of are looked at at once
_RETRY_S = 0.2  # the same while a worker has not taken in the plugin
_ANSWER_S = 10.0  # a worker that does not answer for so long is not waited for
_SILENCE_S = 60.0  # a scheduler that does not answer for so long is gone


@dataclass(frozen=True, slots=True)
class Joined:
    """A worker is ready."""

    member: Member


@dataclass(frozen=True, slots=True)
class Left:
    """A worker is gone."""

    address: str


@dataclass(frozen=True, slots=True)
class Refused:
    """A worker is there, but cannot run trials."""

    address: str
    why: str


@dataclass(frozen=True, slots=True)
class Ended:
    """A trial is over."""

    token: str
    report: Report


@dataclass(frozen=True, slots=True)
class Broken:
    """Something that should not happen."""

    error: BaseException


Heard = Joined | Left | Refused | Ended | Broken


class Link:
    """Connects a driver, which may block, with a cluster.

    Parameters
    ----------
    client : distributed.Client
        Belongs to the caller, who closes it after the link.
    target : Target
        What is run.
    name : str
        The plugin's name, not shared with other drivers of the same cluster.
    log : str or None
        Where workers log to; None: as they like.
    """

    def __init__(self, client: Client, target: Target, *, name: str, log: str | None) -> None:
        self.heard: SimpleQueue[Heard] = SimpleQueue()
        self._client = client
        self._name = name
        self._follows: dict[str, concurrent.futures.Future[None]] = {}
        self._register(TrialRunner(target, log))
        self._watch = self._spawn(self._keep_watching())

    def start(self, token: str, trial: Trial, *, member: Member) -> None:
        """Start a trial; `Ended` will tell."""
        self._follows[token] = self._spawn(self._follow(token, trial, member))

    def cancel(self, token: str, *, member: Member) -> None:
        """Stop a trial; `Ended` will tell as always."""
        arguments = {"workers": [member.address], "on_error": "ignore"}
        self._spawn(self._call(cancel_trial, self._name, token, **arguments))

    def forget(self, token: str) -> None:
        """Let go of a trial that is over or lost."""
        if follow := self._follows.pop(token, None):
            follow.cancel()

    def close(self) -> None:
        """Let all workers kill what they run, and wait until they have."""
        self._watch.cancel()
        for token in list(self._follows):
            self.forget(token)
        with contextlib.suppress(OSError, concurrent.futures.CancelledError):  # a cluster that has gone
            self._spawn(self._take_leave()).result()

    def _register(self, plugin: TrialRunner) -> None:
        try:
            self._client.register_plugin(plugin, name=self._name)
        except Exception as error:
            with contextlib.suppress(Exception):  # those that have not taken it in cannot give it back
                self._client.unregister_worker_plugin(self._name)
            raise ExecutorError(
                f"the workers at {self._client.scheduler.address} cannot take in the target: {error}",
                hint="scheduler, workers and driver need the same packages, and the target's modules",
            ) from error

    def _spawn(self, work: Coroutine[Any, Any, None]) -> concurrent.futures.Future[None]:
        future = asyncio.run_coroutine_threadsafe(work, self._client.loop.asyncio_loop)
        future.add_done_callback(self._hear_end)
        return future

    def _hear_end(self, future: concurrent.futures.Future[None]) -> None:
        if not future.cancelled() and (error := future.exception()) is not None:
            self.heard.put(Broken(error))

    async def _call(self, function: Any, *arguments: Any, **options: Any) -> None:
        with contextlib.suppress(OSError):  # who cannot be reached has left, and that will be heard
            await self._client.run(function, *arguments, **options)

    async def _take_leave(self) -> None:
        self._client.unsubscribe_topic(_TOPIC)
        await asyncio.wait_for(self._client.unregister_worker_plugin(self._name), 2 * _ANSWER_S)

    async def _follow(self, token: str, trial: Trial, member: Member) -> None:
        future = self._client.submit(
            run_trial,
            self._name,
            member.incarnation,
            token,
            trial,
            key=token,
            workers=[member.address],
            pure=False,
            retries=0,
        )
        try:
            report = await future
        except (CancelledError, KilledWorker) as error:
            report = Report(lost(trial.id, f"dropped by Dask: {error}"))
        self.heard.put(Ended(token, report))

    async def _keep_watching(self) -> None:
        changed = asyncio.Event()
        departed: set[str] = set()

        def hear(event: tuple[float, Any]) -> None:
            message = event[1]
            if isinstance(message, dict) and message.get("action") == "remove-worker":
                departed.add(message["worker"])
            changed.set()

        self._client.subscribe_topic(_TOPIC, hear)
        known: set[str] = set()
        while True:
            changed.clear()
            gone = set(departed)
            departed -= gone
            present = await self._present()
            for address in known - (present.keys() - gone):
                self.heard.put(Left(address))
                known.remove(address)
            new = [address for address in present if address not in known]
            joined = await self._greet({address: present[address] for address in new})
            known |= joined
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(changed.wait(), _LOOK_S if len(joined) == len(new) else _RETRY_S)

    async def _present(self) -> dict[str, dict[str, Any]]:
        """Return the workers that the scheduler knows; without a scheduler there are none."""
        try:
            identity = await asyncio.wait_for(self._client.scheduler.identity(), _SILENCE_S)
        except OSError:
            return {}
        return {
            address: worker
            for address, worker in identity["workers"].items()
            if worker["status"] in ("running", "paused")
        }

    async def _greet(self, new: dict[str, dict[str, Any]]) -> set[str]:
        """Ask new workers whether they are ready; return those that are."""
        if not new:
            return set()
        try:
            question = self._client.run(incarnation, self._name, workers=list(new), on_error="return")
            answers = await asyncio.wait_for(question, _ANSWER_S)
        except OSError:
            return set()
        ready = {address: answer for address, answer in answers.items() if isinstance(answer, str)}
        for address, answer in answers.items():
            if address in ready:
                self.heard.put(Joined(_member(address, new[address], incarnation=answer)))
            else:
                self.heard.put(Refused(address, f"{type(answer).__name__}: {answer}"))
        return set(ready)


def _member(address: str, worker: dict[str, Any], *, incarnation: str) -> Member:
    name = str(worker["name"])
    return Member(
        address,
        identity=worker["nanny"] or name,  # a nanny stays when its worker is restarted
        name=address if name == address else f"{name} ({address})",
        threads=worker["nthreads"],
        incarnation=incarnation,
    )
