"""The command `tightrope`: verbs, errors and exit codes."""

import errno
import os
import sys
import traceback
from collections.abc import Sequence
from enum import IntEnum
from pathlib import Path
from typing import Final

import click

from tightrope.cli.verbs import LazyGroup
from tightrope.errors import ScenarioError, SpaceError, TightropeError, UsageError


class Exit(IntEnum):
    """How the command ends."""

    DONE = 0
    REFUSED = 1  # what was asked was done, and the answer is no: `check` found what must be mended
    USAGE = 2  # a wrong command line, or a file that cannot be used
    FAILED = 3  # the target, a worker, a journal or the disk let us down
    INTERRUPTED = 130


_DEBUG: Final = "TIGHTROPE_DEBUG"  # set: faults of ours show where they come from
_REMEDIES: Final = {
    errno.ENOENT: "create the folder first, or check the path",
    errno.EISDIR: "name a file, not a folder",
    errno.ENOTDIR: "a part of this path is a file: name another",
    errno.ENOSPC: "make room, or name a folder on another disk",
    errno.EDQUOT: "make room, or name a folder on another disk",
    errno.EFBIG: "raise the limit of the size of files:  ulimit -f unlimited",
    errno.EROFS: "name a folder that can be written to",
    errno.EACCES: "check who may read and write it, or name another",
}
_CODES = (
    "Exit codes: 0 done; 1 the check says no; 2 wrong command line or file; "
    "3 a target, worker or disk failed; 130 interrupted."
)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]}, epilog=_CODES)
@click.version_option(package_name="tightrope", message="%(prog)s %(version)s")
def tightrope() -> None:
    """Find settings that make a program faster, by cutting slow runs short and learning from the bound."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit; whatever a user did wrong ends in a message, not in a traceback."""
    try:
        code = run(arguments)
    except Exception as error:  # a fault of ours, which no user should have to read as a traceback
        if os.environ.get(_DEBUG):
            raise
        click.echo(_confession(error), err=True)
        code = Exit.FAILED
    sys.exit(code)


def _confession(error: Exception) -> str:
    """Say that the fault is ours, and what we need to mend it."""
    *_, frame = traceback.extract_tb(error.__traceback__)
    return (
        f"error: this is a fault in tightrope, not yours: {type(error).__name__}: {error} "
        f"({Path(frame.filename).name}:{frame.lineno}); what a tuning has written is safe\n"
        f"please report it with what the same command prints after  export {_DEBUG}=1"
    )


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    try:
        result = tightrope.main(arguments, prog_name="tightrope", standalone_mode=False)
    except click.exceptions.Exit as exit_:
        return exit_.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return Exit.INTERRUPTED
    except BrokenPipeError:  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.DONE
    except TightropeError as error:
        click.echo(f"error: {error}", err=True)
        return _code_of(error)
    except OSError as error:
        click.echo(f"error: {_told(error)}", err=True)
        return Exit.FAILED
    return result if isinstance(result, int) else Exit.DONE


def _told(error: OSError) -> str:
    """Say what the system refused: the file first, as in our own errors."""
    if error.strerror is None:
        return str(error)
    remedy = _REMEDIES.get(error.errno or 0, "check the path, and who may write there")
    what = f"{error.strerror.lower()}; {remedy}"
    return what if error.filename is None else f"{error.filename}: {what}"


def _code_of(error: TightropeError) -> Exit:
    return Exit.USAGE if isinstance(error, (ScenarioError, SpaceError, UsageError)) else Exit.FAILED
