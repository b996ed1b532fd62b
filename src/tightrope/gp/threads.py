"""One thread for matrices that are too small to share.

A fit makes thousands of calls to linear algebra, on matrices of some hundred rows at most. Threads that wait
for each other between such calls double the CPU time on an idle machine, and on a busy one they took up to
thirty times as long.
"""

from contextlib import AbstractContextManager, nullcontext
from functools import cache

from threadpoolctl import ThreadpoolController

_MOST_ROWS = 500  # beyond them threads pay on an idle machine


def one_thread(n_rows: int) -> AbstractContextManager[object]:
    """While this is entered linear algebra has one thread, unless so many rows deserve more."""
    if n_rows > _MOST_ROWS:
        return nullcontext()
    limited: AbstractContextManager[object] = _libraries().limit(limits=1)
    return limited


@cache
def _libraries() -> ThreadpoolController:
    """Find the libraries once: it takes longer than a fit."""
    return ThreadpoolController()
