"""A limit of one thread for linear algebra on small matrices.

A fit makes thousands of calls to linear algebra, mostly on matrices of a few hundred rows. Threads that wait
for each other between such calls double the CPU time on an idle machine. On a busy machine they took up to
thirty times as long.
"""

from contextlib import AbstractContextManager, nullcontext
from functools import cache

from threadpoolctl import ThreadpoolController

_MOST_ROWS = 500  # with more, threads are faster on an idle machine


def one_thread(n_rows: int) -> AbstractContextManager[object]:
    """Return a context that limits linear algebra to one thread, unless there are many rows."""
    if n_rows > _MOST_ROWS:
        return nullcontext()
    limited: AbstractContextManager[object] = _libraries().limit(limits=1)
    return limited


@cache
def _libraries() -> ThreadpoolController:
    """Find the libraries once: it takes longer than a fit."""
    return ThreadpoolController()
