"""Measurement and formatting of CPU time."""

import time
from collections.abc import Callable


def cpu_s(work: Callable[[], object]) -> float:
    """Return the CPU time of this thread: idle threads of linear algebra libraries do not count."""
    start = time.thread_time()
    work()
    return time.thread_time() - start


def milliseconds(seconds: float) -> str:
    """Return a time with three significant digits."""
    return f"{seconds * 1e3:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"
