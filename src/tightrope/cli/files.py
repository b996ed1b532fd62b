"""Reading and writing the user's files, with errors that name the file."""

import os
import shutil
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tightrope.errors import Fault, ScenarioError

_PRIVATE: Final = 0o600


def require_scenario(file: Path, verb: str) -> None:
    """Raise an error unless the scenario file of a verb exists."""
    if not file.is_file():
        problem = "this is a folder" if file.is_dir() else "there is no such file"
        hint = f"write one with `tightrope init`, or give the path of yours:  tightrope {verb} SCENARIO"
        raise ScenarioError(Fault(problem, hint, str(file)))


def write_file(file: Path, text: str) -> None:
    """Write a text file, whole or not at all; the bytes of names that are not UTF-8 stay what they are.

    Raises
    ------
    OSError
        With the file's name, which Python leaves out when the disk is full.
    """
    _write(file, text.encode("utf-8", "surrogateescape"))


def write_private_file(file: Path, text: str) -> None:
    """Write a text file for its owner's eyes only, whole or not at all.

    Raises
    ------
    OSError
        With the file's name.
    """
    _write(file, text.encode("utf-8", "surrogateescape"), is_private=True)


def write_scenario_file(file: Path, content: bytes) -> None:
    """Write a scenario, whole or not at all; if it sets environment variables, for its owner's eyes only.

    Raises
    ------
    OSError
        With the file's name.
    """
    _write(file, content, is_private=_has_environment(content))


@contextmanager
def replacing(file: Path, *, is_private: bool = False) -> Iterator[Path]:
    """Yield the path of a new file that takes the place of another once it is complete.

    A device or a pipe, such as /dev/stdout, is written to directly.

    Raises
    ------
    OSError
        With the file's name.
    """
    target = Path(os.path.realpath(file))  # a link stays a link
    if target.exists() and not target.is_file():
        yield target
        return
    fresh = target.with_name(f".tightrope-{os.getpid()}.new")
    try:
        os.close(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _PRIVATE if is_private else 0o666))
        yield fresh
        if not is_private and target.exists():
            shutil.copymode(target, fresh)
        os.replace(fresh, target)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(file)) from error
    finally:
        fresh.unlink(missing_ok=True)


def _write(file: Path, content: bytes, *, is_private: bool = False) -> None:
    with replacing(file, is_private=is_private) as fresh:
        fresh.write_bytes(content)


def _has_environment(content: bytes) -> bool:
    """Whether this is a scenario in TOML with the key `env`, whose values may be secrets."""
    if b"env" not in content:
        return False
    try:
        return bool(tomllib.loads(content.decode("utf-8", "replace")).get("env"))
    except ValueError:
        return False
