"""Workers: which worker runs which trial, and which are benched for losing runs; no input or output."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median

from tightrope.errors import Finding, Severity

_TOLERANCE = 0.1  # difference in speed between workers whose times count as comparable


@dataclass(frozen=True, slots=True)
class Worker:
    """A worker process. `identity` survives a restart, `incarnation` does not.

    `reference_s` is the CPU time that it takes for a fixed piece of work.
    """

    address: str
    identity: str
    name: str
    threads: int
    incarnation: str
    reference_s: float = 0.0

    @property
    def host(self) -> str:
        """The machine, by its address: tcp://node17:4433 is on tcp://node17."""
        return self.address.rpartition(":")[0]


@dataclass(slots=True)
class _Assignment:
    worker: Worker
    trial_ids: set[int] = field(default_factory=set)

    @property
    def n_free(self) -> int:
        return self.worker.threads - len(self.trial_ids)


class Workers:
    """The workers of a cluster, and the trials that each of them runs.

    A worker is benched after `bench_after` losses in a row, without a run that ended in between. A worker
    that dies loses all its runs at once; that counts as one loss.

    Parameters
    ----------
    bench_after : int
        Losses in a row.
    """

    def __init__(self, bench_after: int) -> None:
        self._bench_after = bench_after
        self._assignments: dict[str, _Assignment] = {}
        self._losses: dict[str, int] = {}
        self._names: dict[str, str] = {}
        self._findings: list[Finding] = []
        self._uneven_hosts: set[str] = set()

    @property
    def slots(self) -> int:
        """How many trials can run at once."""
        return sum(each.worker.threads for each in self._usable())

    @property
    def size(self) -> int:
        """How many workers are usable."""
        return len(self._usable())

    @property
    def benched(self) -> tuple[str, ...]:
        """Names of the workers that get no more trials."""
        return tuple(name for identity, name in self._names.items() if self._is_benched(identity))

    def findings(self) -> Sequence[Finding]:
        """Return findings, each once: on workers that were benched, and on machines of another speed."""
        findings, self._findings = self._findings, []
        return findings

    def add(self, worker: Worker) -> None:
        """Add a worker; the first on each machine that is faster or slower than the others is a finding."""
        self._compare_speed(worker)
        self._assignments[worker.address] = _Assignment(worker)
        self._names[worker.identity] = worker.name

    def remove(self, address: str) -> list[int]:
        """Remove a worker; return the trials that are lost with it."""
        assignment = self._assignments.pop(address, None)
        if assignment is None or not assignment.trial_ids:
            return []
        self._count_loss(assignment.worker, f"it died with {len(assignment.trial_ids)} of them")
        return sorted(assignment.trial_ids)

    def assign(self, trial_id: int) -> Worker | None:
        """Assign a trial to the worker with the most free threads; None if no thread is free."""
        assignment = max(self._usable(), key=lambda each: each.n_free, default=None)
        if assignment is None or assignment.n_free <= 0:
            return None
        assignment.trial_ids.add(trial_id)
        return assignment.worker

    def end(self, trial_id: int, *, is_lost: bool) -> None:
        """Free the thread of a finished trial, and count a loss if it was lost there."""
        for assignment in self._assignments.values():
            if trial_id in assignment.trial_ids:
                assignment.trial_ids.remove(trial_id)
                worker = assignment.worker
                if is_lost:
                    self._count_loss(worker, "its supervisor was killed")
                elif not self._is_benched(worker.identity):
                    self._losses.pop(worker.identity, None)

    def _compare_speed(self, worker: Worker) -> None:
        everyone = (each.worker.reference_s for each in self._assignments.values())
        others = [reference_s for reference_s in everyone if reference_s > 0]
        if not others or worker.reference_s <= 0 or worker.host in self._uneven_hosts:
            return
        ratio = worker.reference_s / median(others)
        if max(ratio, 1.0 / ratio) <= 1.0 + _TOLERANCE:
            return
        self._uneven_hosts.add(worker.host)
        self._findings.append(
            Finding(
                "W02",
                Severity.WARNING,
                f"worker {worker.name}",
                f"it takes {ratio:.2f} times as long as the other workers for the same work",
                "use equal machines if the cost is time; each run's reference_s says how fast its worker is",
            )
        )

    def _usable(self) -> list[_Assignment]:
        return [each for each in self._assignments.values() if not self._is_benched(each.worker.identity)]

    def _is_benched(self, identity: str) -> bool:
        return self._losses.get(identity, 0) >= self._bench_after

    def _count_loss(self, worker: Worker, how: str) -> None:
        was_benched = self._is_benched(worker.identity)
        self._losses[worker.identity] = self._losses.get(worker.identity, 0) + 1
        if self._is_benched(worker.identity) and not was_benched:
            self._findings.append(
                Finding(
                    "W01",
                    Severity.WARNING,
                    f"worker {worker.name}",
                    f"it lost runs {self._bench_after} times in a row and gets no more; the last time, {how}",
                    "check memory and disk of its machine; the configs are not to blame",
                )
            )
