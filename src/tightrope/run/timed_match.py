"""The last match of a regular expression in a text, found within a time limit.

Some expressions take exponential time on some texts, and the text comes from a target. In the main thread a
timer interrupts the search. Other threads get no signals, so they ask a process that can be killed.
"""

import contextlib
import json
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from types import FrameType

LIMIT_S = 2.0  # of CPU time of this thread
_START_S = 8.0  # for another process to start, on a busy machine
_SEARCH = (
    "import json, re, sys; pattern, text = json.load(sys.stdin); "
    "found = re.findall(pattern, text, re.MULTILINE); json.dump(found[-1] if found else None, sys.stdout)"
)


class TooSlowError(Exception):
    """The search took too long."""


def last_match(pattern: str, text: str, *, limit_s: float = LIMIT_S) -> str | None:
    r"""Return the group of the last match; None without one.

    Raises
    ------
    TooSlowError
        The search took longer than `limit_s`.
    OSError
        This is not the main thread, and no process could be started.

    Examples
    --------
    >>> last_match(r"length (\d+)", "length 9\nlength 7\n")
    '7'
    """
    if _can_be_interrupted():
        with _interrupted_after(limit_s):
            found = re.findall(pattern, text, re.MULTILINE)
        return found[-1] if found else None
    return _match_elsewhere(pattern, text, limit_s)


def _can_be_interrupted() -> bool:
    """Return whether this thread gets signals, and a handler can be put back afterwards."""
    is_main = threading.current_thread() is threading.main_thread()
    return is_main and hasattr(signal, "setitimer") and signal.getsignal(signal.SIGALRM) is not None


@contextlib.contextmanager
def _interrupted_after(limit_s: float) -> Iterator[None]:
    """Raise in the block once this thread has used more CPU time; the caller's timer continues afterwards."""
    start_s = time.monotonic()
    end_s = time.thread_time() + limit_s

    def interrupt(number: int, frame: FrameType | None) -> None:
        if time.thread_time() >= end_s:  # not if the machine was asleep, or busy with something else
            raise TooSlowError

    handler = signal.signal(signal.SIGALRM, interrupt)
    remaining_s, interval_s = signal.setitimer(signal.ITIMER_REAL, limit_s, limit_s / 10)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        if remaining_s > 0:
            left_s = remaining_s - (time.monotonic() - start_s)
            signal.setitimer(signal.ITIMER_REAL, max(1e-6, left_s), interval_s)


def _match_elsewhere(pattern: str, text: str, limit_s: float) -> str | None:
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _SEARCH],
            input=json.dumps([pattern, text]).encode(),
            stdout=subprocess.PIPE,
            check=True,
            timeout=limit_s + _START_S,
        )
    except subprocess.TimeoutExpired as error:
        raise TooSlowError from error
    except subprocess.CalledProcessError as error:  # killed, or without memory
        raise OSError(f"the search ended with exit code {error.returncode}") from error
    found: str | None = json.loads(done.stdout)
    return found
