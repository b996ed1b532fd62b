"""Where the command `tightrope`, and `python -m tightrope`, begin."""

import os
import signal
from types import FrameType

_IMPORTING = ("importlib._bootstrap", "_frozen_importlib")  # modules of the functions that import
_INTERRUPTED = 130


def main() -> None:
    """Load the command line and run it; whoever interrupts that is shown no traceback."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)
    from tightrope.cli.main import main as run

    run()


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Raise an interrupt as usual, but end at once while modules are loaded: Python may lose one then."""
    while frame is not None:
        if str(frame.f_globals.get("__name__")).startswith(_IMPORTING):
            os.write(2, b"interrupted\n")
            os._exit(_INTERRUPTED)
        frame = frame.f_back
    raise KeyboardInterrupt


if __name__ == "__main__":
    main()
