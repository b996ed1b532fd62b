"""Redirects Dask's log from the terminal, its default, to a file."""

import logging
from collections.abc import Callable

_FORMAT = "%(asctime)s %(process)d %(name)s %(levelname)s %(message)s"
_FAMILIES = ("distributed", "tornado")


def redirect(path: str | None) -> Callable[[], None]:
    """Send Dask's log in this process to a file, or discard it if `path` is None; return an undo function."""
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
    """Return the loggers that Dask uses to write to the terminal."""
    names = [name for name in logging.root.manager.loggerDict if name.split(".")[0] in _FAMILIES]
    loggers = [logging.getLogger(name) for name in names]
    return [logger for logger in loggers if any(map(_is_terminal, logger.handlers))]


def _is_terminal(handler: logging.Handler) -> bool:
    return type(handler) is logging.StreamHandler  # not a subclass: those write to files
