"""CPU time of some work, and how to print it."""

import time
from collections.abc import Callable


def cpu_s(work: Callable[[], object]) -> float:
    """Measure this thread only: what idle threads of linear algebra libraries burn does not count."""
    start = time.thread_time()
    work()
    return time.thread_time() - start


def milliseconds(seconds: float) -> str:
    """Three significant digits."""
    return f"{seconds * 1e3:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"
