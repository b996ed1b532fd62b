"""Ending: how a supervised command ended, as reported by its supervisor."""

import secrets
from dataclasses import dataclass
from enum import Enum

TOKEN_BYTES = 32
_MOST_LINE_BYTES = 4096


class Reason(Enum):
    """Why a run is over."""

    EXITED = "exited"  # by itself, with any exit code
    CAP = "cap"
    GUARD = "guard"  # on the CPU clock: idle for so long that it must be asleep
    HIDDEN = "hidden"  # on the CPU clock: busy, but its CPU time cannot be accounted for
    MEMORY = "memory"
    CANCELLED = "cancelled"
    DRIVER = "driver"  # the process that started it was gone
    UNSTARTED = "unstarted"


@dataclass(frozen=True, slots=True)
class Output:
    """What is kept of an output stream: its head, its tail, and the number of bytes missing in between."""

    head: bytes = b""
    tail: bytes = b""
    missing: int = 0

    @property
    def text(self) -> str:
        """The kept output as text; a line marks missing bytes."""
        if not self.missing:
            return (self.head + self.tail).decode(errors="replace")
        head, tail = (part.decode(errors="replace") for part in (self.head, self.tail))
        return f"{head}\n[... {self.missing} bytes not kept ...]\n{tail}"

    @property
    def lines(self) -> list[str]:
        """Its non-empty lines, stripped; only line feeds and carriage returns end a line."""
        lines = self.text.replace("\r", "\n").split("\n")
        return [line.strip() for line in lines if line.strip()]


@dataclass(frozen=True, slots=True)
class Ending:
    """How a command ended, and what it used and printed.

    Parameters
    ----------
    reason : Reason
        Why it is over.
    exit_code : int
        Its exit code; minus the signal number if a signal killed it.
    cpu_s : float
        User and system time of the whole process tree.
    wall_s : float
        Time until the command itself ended.
    peak_mb : float
        Largest memory seen in the tree, in units of 10**6 bytes.
    leftover : int
        Processes that were still alive when the command exited by itself; they were killed.
    stubborn : int
        Processes that could not be killed.
    stdout, stderr : Output
        The output.
    run_number : int
        For a worker: the number of the run, or 0 between two runs.
    error_number : int
        The `errno` if it could not be started; 0 if it was started.
    stage : str
        What failed then: "prepare", "fork", "pin" or "execute".
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
    stage: str = ""


class Report:
    """What arrives through the pipe of a supervisor; only what begins with the secret token is believed.

    Any process of the same user may be able to write into the pipe. The report comes last and its size is
    limited, so only the end of what arrives is kept.
    """

    def __init__(self, keep_kb: int = 32) -> None:
        self.token = secrets.token_hex(TOKEN_BYTES // 2).encode()
        self._bytes = bytearray()
        self._most_bytes = 4 * 1024 * keep_kb + _MOST_LINE_BYTES

    def add(self, chunk: bytes) -> None:
        """Add what arrived."""
        self._bytes += chunk
        if len(self._bytes) > 2 * self._most_bytes:
            del self._bytes[: -self._most_bytes]

    def ending(self) -> Ending | None:
        """Return the authentic report; None if there is none, because the supervisor was killed."""
        _, head, report = self._bytes.partition(b"token=" + self.token + b" ")
        return read_ending(bytes(report)) if head else None


def read_ending(report: bytes) -> Ending | None:
    r"""Parse a supervisor's report; None if it is damaged or incomplete, because the supervisor was killed.

    Examples
    --------
    >>> read_ending(b"reason=unstarted errno=2 stage=execute\n").reason
    <Reason.UNSTARTED: 'unstarted'>
    >>> read_ending(b"reason=unst") is None
    True
    """
    try:
        return _read(report)
    except (ValueError, KeyError):
        return None


def _read(report: bytes) -> Ending | None:
    line, newline, rest = report.partition(b"\n")
    if not newline:
        return None
    words = dict(word.split("=", 1) for word in line.decode("ascii").split())
    reason, stage = Reason(words.pop("reason")), words.pop("stage", "")
    numbers = {key: int(value) for key, value in words.items()}
    if reason is Reason.UNSTARTED:
        return Ending(reason, error_number=numbers["errno"], stage=stage)
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
