"""Sends a function to a worker process, which has to import it; used on both sides."""

import os
import pickle
import pkgutil
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.spawn import prepare
from pathlib import Path
from typing import Any

from tightrope.errors import TargetError
from tightrope.run.function.call import Function

_LOADING = threading.Event()  # set while a worker imports the user's modules; it must not start other workers

_HINT = (
    "define it with `def` at the top level of a module or script, bind other arguments with "
    'functools.partial, or name it as "module:function"'
)


@dataclass(frozen=True, slots=True)
class Payload:
    """A pickled function, and the driver's settings for the interpreter: paths, arguments, main script."""

    preparation: dict[str, Any]
    pickled: bytes

    def open(self) -> Function:
        """Load the function; called in the fork server."""
        _LOADING.set()
        try:
            prepare(self.preparation)
            return Function(resolve(pickle.loads(self.pickled)))
        finally:
            _LOADING.clear()


def refuse_while_loading() -> None:
    """Raise in a process that is importing the function: starting workers there would never end."""
    if _LOADING.is_set():
        raise TargetError(
            "importing the module of your function in a worker process starts another search",
            hint='put the main part of the script under `if __name__ == "__main__":`',
        )


def resolve(f: Callable[..., Any] | str) -> Any:
    """Return the function that "module:function" names; a function is returned as it is."""
    if not isinstance(f, str):
        return f
    try:
        return pkgutil.resolve_name(f)
    except (ImportError, AttributeError, ValueError) as error:
        hint = 'write "module:function", with a module that can be imported'
        raise TargetError(f"{f!r} does not name a function: {error}", hint=hint) from error


def pickle_function(f: Callable[..., Any] | str) -> bytes:
    """Pickle a function; raise if another process could not load it."""
    try:
        pickled = pickle.dumps(f)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise TargetError(f"{f!r} cannot be sent to a worker process: {error}", hint=_HINT) from error
    if b"__main__" in pickled and not _main_script():
        raise TargetError(
            f"{f!r} cannot be sent to a worker process: it was defined in an interpreter or a notebook",
            hint="move it into a file and import it from there",
        )
    return pickled


def _main_script() -> dict[str, str]:
    """Return how a worker imports the script that runs here; empty if it cannot."""
    main = sys.modules["__main__"]
    name = getattr(getattr(main, "__spec__", None), "name", None)
    if name:
        return {"init_main_from_name": name}
    path = getattr(main, "__file__", None)
    return {"init_main_from_path": str(Path(path).resolve())} if path and Path(path).exists() else {}


def pack(pickled: bytes) -> bytes:
    """Return a pickled `Payload` of a pickled function."""
    preparation = {"sys_path": list(sys.path), "sys_argv": list(sys.argv), "dir": os.getcwd()}
    if b"__main__" in pickled:
        preparation |= _main_script()
    return pickle.dumps(Payload(preparation, pickled))
