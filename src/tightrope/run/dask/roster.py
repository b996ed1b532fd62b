"""Who works on what, and who is benched for losing runs: what the Dask executor decides, not what it does."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tightrope.errors import Finding, Severity


@dataclass(frozen=True, slots=True)
class Member:
    """A worker process. `identity` outlives a restart, `incarnation` does not."""

    address: str
    identity: str
    name: str
    threads: int
    incarnation: str


@dataclass(slots=True)
class _Post:
    member: Member
    trial_ids: set[int] = field(default_factory=set)

    @property
    def free(self) -> int:
        return self.member.threads - len(self.trial_ids)


class Roster:
    """Members and the trials that they run.

    A worker is benched when it has lost runs `bench_after` times in a row, without bringing one to an end in
    between. A worker that dies loses all its runs at once; that counts as one time.

    Parameters
    ----------
    bench_after : int
        How many times in a row.
    """

    def __init__(self, bench_after: int) -> None:
        self._bench_after = bench_after
        self._posts: dict[str, _Post] = {}
        self._losses: dict[str, int] = {}
        self._names: dict[str, str] = {}
        self._findings: list[Finding] = []

    @property
    def slots(self) -> int:
        """How many trials can be placed at once."""
        return sum(post.member.threads for post in self._usable())

    @property
    def size(self) -> int:
        """How many workers take part."""
        return len(self._usable())

    @property
    def benched(self) -> tuple[str, ...]:
        """Names of those that get no more trials."""
        return tuple(name for identity, name in self._names.items() if self._is_benched(identity))

    def findings(self) -> Sequence[Finding]:
        """Return who was benched, each once."""
        findings, self._findings = self._findings, []
        return findings

    def join(self, member: Member) -> None:
        """Take in a worker."""
        self._posts[member.address] = _Post(member)
        self._names[member.identity] = member.name

    def leave(self, address: str) -> list[int]:
        """Strike a worker off; return the trials that are lost with it."""
        post = self._posts.pop(address, None)
        if post is None or not post.trial_ids:
            return []
        self._count_loss(post.member, f"it died with {len(post.trial_ids)} of them")
        return sorted(post.trial_ids)

    def place(self, trial_id: int) -> Member | None:
        """Give a trial to the worker with the most free threads; None if there is no free one."""
        post = max(self._usable(), key=lambda each: each.free, default=None)
        if post is None or post.free <= 0:
            return None
        post.trial_ids.add(trial_id)
        return post.member

    def end(self, trial_id: int, *, is_lost: bool) -> None:
        """Free the place of a trial that is over, and remember whether it was lost there."""
        for post in self._posts.values():
            if trial_id in post.trial_ids:
                post.trial_ids.remove(trial_id)
                if is_lost:
                    self._count_loss(post.member, "its supervisor was killed")
                elif not self._is_benched(post.member.identity):
                    self._losses.pop(post.member.identity, None)

    def _usable(self) -> list[_Post]:
        return [post for post in self._posts.values() if not self._is_benched(post.member.identity)]

    def _is_benched(self, identity: str) -> bool:
        return self._losses.get(identity, 0) >= self._bench_after

    def _count_loss(self, member: Member, how: str) -> None:
        was_benched = self._is_benched(member.identity)
        self._losses[member.identity] = self._losses.get(member.identity, 0) + 1
        if self._is_benched(member.identity) and not was_benched:
            self._findings.append(
                Finding(
                    "W01",
                    Severity.WARNING,
                    f"worker {member.name}",
                    f"it lost runs {self._bench_after} times in a row, and gets no more; the last time {how}",
                    "look for lack of memory or a failing disk on its machine; the configs are innocent",
                )
            )
