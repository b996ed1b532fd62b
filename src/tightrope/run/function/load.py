"""How a function gets into a worker process, which has to import it; used on both sides."""

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

_LOADING = threading.Event()  # while the user's modules are imported in a worker, which must not start others

_REMEDY = (
    "define it with `def` at the top level of a module or script, bind further arguments with "
    'functools.partial, or name it as "module:function"'
)


@dataclass(frozen=True, slots=True)
class Load:
    """What is to be loaded: how the interpreter is made like the driver's, and the pickled function."""

    preparation: dict[str, Any]
    pickled: bytes

    def open(self) -> Function:
        """Load it, in another process than it comes from."""
        _LOADING.set()
        try:
            prepare(self.preparation)
            return Function(resolve(pickle.loads(self.pickled)))
        finally:
            _LOADING.clear()


def refuse_while_loading() -> None:
    """Refuse to start anything in a process that is just importing the function, and would never end."""
    if _LOADING.is_set():
        raise TargetError(
            "a worker process imports the module with your function, and that starts another search",
            hint='put what is to be run once under `if __name__ == "__main__":`',
        )


def resolve(f: Callable[..., Any] | str) -> Any:
    """Return the function that "module:function" names, or just the function."""
    if not isinstance(f, str):
        return f
    try:
        return pkgutil.resolve_name(f)
    except (ImportError, AttributeError, ValueError) as error:
        hint = 'a function is named as "module:function", and its module must be importable'
        raise TargetError(f"{f!r} names no function: {error}", hint=hint) from error


def pickle_function(f: Callable[..., Any] | str) -> bytes:
    """Pickle a function such that another process can load it; refuse if it could not."""
    try:
        pickled = pickle.dumps(f)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise TargetError(f"{f!r} cannot be sent to a worker process: {error}", hint=_REMEDY) from error
    if b"__main__" in pickled and not _main():
        raise TargetError(
            f"{f!r} cannot be sent to a worker process: it was typed into an interpreter or a notebook",
            hint="write it into a file and import it from there",
        )
    return pickled


def _main() -> dict[str, str]:
    """Say how a worker imports the script that runs here; nothing if it cannot."""
    main = sys.modules["__main__"]
    name = getattr(getattr(main, "__spec__", None), "name", None)
    if name:
        return {"init_main_from_name": name}
    path = getattr(main, "__file__", None)
    return {"init_main_from_path": str(Path(path).resolve())} if path and Path(path).exists() else {}


def pack(pickled: bytes) -> bytes:
    """Return a pickled `Load` of a pickled function."""
    preparation = {"sys_path": list(sys.path), "sys_argv": list(sys.argv), "dir": os.getcwd()}
    if b"__main__" in pickled:
        preparation |= _main()
    return pickle.dumps(Load(preparation, pickled))
