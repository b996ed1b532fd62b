"""Entry point of the command `tightrope` and of `python -m tightrope`."""

import os
import signal
from types import FrameType

_IMPORTING = (
    "importlib._bootstrap",
    "_frozen_importlib",
)  # modules whose functions are on the stack during an import
_INTERRUPTED = 130


def main() -> None:
    """Load the command line and run it; an interrupt shows no traceback."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)
    from tightrope.cli.main import main as run

    run()


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt, but exit at once during an import, where Python may lose it."""
    while frame is not None:
        if str(frame.f_globals.get("__name__")).startswith(_IMPORTING):
            os.write(2, b"interrupted\n")
            os._exit(_INTERRUPTED)
        frame = frame.f_back
    raise KeyboardInterrupt


if __name__ == "__main__":
    main()
