"""How a supervised command ended: what its supervisor reports."""

from dataclasses import dataclass
from enum import Enum


class Reason(Enum):
    """Why a run is over."""

    EXITED = "exited"  # by itself, well or not
    CAP = "cap"
    GUARD = "guard"  # on the CPU clock: so much time passed that it must be asleep
    MEMORY = "memory"
    CANCELLED = "cancelled"
    DRIVER = "driver"  # who started it was gone
    UNSTARTED = "unstarted"


@dataclass(frozen=True, slots=True)
class Output:
    """What is kept of an output stream: its beginning, its end, and how many bytes are missing between."""

    head: bytes = b""
    tail: bytes = b""
    missing: int = 0

    @property
    def text(self) -> str:
        """All that was kept, as text; where something is missing a line says so."""
        if not self.missing:
            return (self.head + self.tail).decode(errors="replace")
        head, tail = (part.decode(errors="replace") for part in (self.head, self.tail))
        return f"{head}\n[... {self.missing} bytes not kept ...]\n{tail}"

    @property
    def lines(self) -> list[str]:
        """Its lines without surrounding blanks, empty ones left out."""
        return [line.strip() for line in self.text.splitlines() if line.strip()]


@dataclass(frozen=True, slots=True)
class Ending:
    """What happened to a command.

    Parameters
    ----------
    reason : Reason
        Why it is over.
    exit_code : int
        Its exit code; minus the signal's number if a signal ended it.
    cpu_s : float
        User and system time of the whole process tree.
    wall_s : float
        Time that passed until the command itself had ended.
    peak_mb : float
        Most memory that the tree was seen to hold, in units of 10**6 bytes.
    leftover : int
        Processes that were still alive when the command had ended by itself, and were killed.
    stubborn : int
        Processes that could not be killed.
    stdout, stderr : Output
        What it printed.
    run_number : int
        Which run of a worker it was, if it was a worker: 0 between two runs.
    error_number : int
        Why it could not be started, as `errno` says it; 0 if it was started.
    """

    reason: Reason
    exit_code: int = 0
    cpu_s: float = 0.0
    wall_s: float = 0.0
    peak_mb: float = 0.0
    leftover: int = 0
    stubborn: int = 0
    stdout: Output = Output()
    stderr: Output = Output()
    run_number: int = 0
    error_number: int = 0


def read_ending(report: bytes) -> Ending | None:
    r"""Read a supervisor's report; None if it is not whole, because the supervisor was killed.

    Examples
    --------
    >>> read_ending(b"reason=unstarted errno=2\n").reason
    <Reason.UNSTARTED: 'unstarted'>
    >>> read_ending(b"reason=unst") is None
    True
    """
    line, newline, rest = report.partition(b"\n")
    if not newline:
        return None
    words = dict(word.split("=", 1) for word in line.decode().split())
    reason = Reason(words.pop("reason"))
    numbers = {key: int(value) for key, value in words.items()}
    if reason is Reason.UNSTARTED:
        return Ending(reason, error_number=numbers["errno"])
    sizes = [numbers[key] for key in ("out_head", "out_tail", "err_head", "err_tail")]
    if len(rest) != sum(sizes):
        return None
    parts = []
    for size in sizes:
        parts.append(rest[:size])
        rest = rest[size:]
    return Ending(
        reason,
        numbers["code"],
        cpu_s=numbers["cpu_ns"] / 1e9,
        wall_s=numbers["wall_ns"] / 1e9,
        peak_mb=numbers["peak_bytes"] / 1e6,
        leftover=numbers["leftover"],
        stubborn=numbers["stubborn"],
        stdout=Output(parts[0], parts[1], numbers["out_total"] - sizes[0] - sizes[1]),
        run_number=numbers["run"],
        stderr=Output(parts[2], parts[3], numbers["err_total"] - sizes[2] - sizes[3]),
    )
