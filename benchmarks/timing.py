"""CPU time of some work, and how to print it."""

import statistics
import time
from collections.abc import Callable


def cpu_s(work: Callable[[], object], *, rounds: int) -> float:
    """Median over the rounds."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times)


def milliseconds(seconds: float) -> str:
    """Three significant digits."""
    return f"{seconds * 1e3:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"
