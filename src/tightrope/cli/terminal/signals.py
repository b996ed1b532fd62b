"""Signals: the first one stops a tuning gracefully, the second one kills it."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Final

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_SHOW_CURSOR: Final = b"\x1b[?25h"


@dataclass(slots=True)
class Stop:
    """Whether a signal has asked to stop."""

    was_asked: bool = False


@contextmanager
def tidy_stop() -> Iterator[Stop]:
    """Make the first Ctrl-C, SIGTERM or SIGHUP raise KeyboardInterrupt, and the next one kill."""
    stop = Stop()
    # Under nohup the process is meant to outlive the terminal.
    outlives = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    numbers = [number for number in _SIGNALS if not (outlives and number == signal.SIGHUP)]

    def ask(number: int, frame: FrameType | None) -> None:
        stop.was_asked = True
        for each in numbers:
            signal.signal(each, _die)
        raise KeyboardInterrupt

    before = {number: signal.signal(number, ask) for number in numbers}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _die(number: int, frame: FrameType | None) -> None:
    """Exit at once; the supervisor of each run notices and kills it."""
    if sys.stderr.isatty():
        os.write(sys.stderr.fileno(), _SHOW_CURSOR)
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
