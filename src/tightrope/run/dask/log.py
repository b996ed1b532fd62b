"""Where Dask's log goes: to a file, since its default is the terminal of whoever waits for a result."""

import logging
from collections.abc import Callable

_FORMAT = "%(asctime)s %(process)d %(name)s %(levelname)s %(message)s"
_FAMILIES = ("distributed", "tornado")


def redirect(path: str | None) -> Callable[[], None]:
    """Send what Dask logs in this process to a file, or nowhere if there is none; return how to undo it."""
    handler = logging.NullHandler() if path is None else logging.FileHandler(path)
    handler.setFormatter(logging.Formatter(_FORMAT))
    before = {logger: logger.handlers for logger in _loggers()}
    for logger, handlers in before.items():
        logger.handlers = [handler, *(other for other in handlers if not _is_terminal(other))]

    def undo() -> None:
        for logger, handlers in before.items():
            logger.handlers = handlers
        handler.close()

    return undo


def _loggers() -> list[logging.Logger]:
    """Return the loggers with which Dask writes to the terminal."""
    names = [name for name in logging.root.manager.loggerDict if name.split(".")[0] in _FAMILIES]
    loggers = [logging.getLogger(name) for name in names]
    return [logger for logger in loggers if any(map(_is_terminal, logger.handlers))]


def _is_terminal(handler: logging.Handler) -> bool:
    return type(handler) is logging.StreamHandler  # and not one of its children, which write to files
