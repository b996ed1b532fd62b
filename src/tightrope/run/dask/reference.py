"""A fixed piece of work, whose CPU time tells how fast a worker's machine is."""

import time

_REPEATS = 7
_N = 15_000


def reference_s() -> float:
    """Return the CPU seconds that this machine takes for the reference work: the least of several attempts.

    It is work of an interpreter (small integers, strings, a dictionary, sorting): a hint at the speed of
    other programs, and no factor to convert their times by.
    """
    return min(_attempt_s() for _ in range(_REPEATS))


def _attempt_s() -> float:
    start_s = time.thread_time()
    number, words = 1, {}
    for i in range(_N):
        number = number * 1_103_515_245 + 12_345 & 0x7FFF_FFFF
        words[str(number)] = i
    sorted(words)
    return time.thread_time() - start_s
