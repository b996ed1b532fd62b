"""The `tightrope` command: entry point, error messages and exit codes."""

import errno
import os
import sys
import traceback
import warnings
from collections.abc import Sequence
from enum import IntEnum
from pathlib import Path
from typing import Final, TextIO

import click

from tightrope.cli.terminal.output import say_error, show
from tightrope.cli.verbs import LazyGroup
from tightrope.errors import ScenarioError, SpaceError, TargetError, TightropeError, UsageError


class Exit(IntEnum):
    """Exit codes of the command."""

    DONE = 0
    REFUSED = 1  # the command worked and its answer is no: `check` found errors
    USAGE = 2  # a wrong command line, or an input file that cannot be used
    FAILED = 3  # the target, a worker, a journal or the disk failed
    INTERRUPTED = 130


_DEBUG: Final = "TIGHTROPE_DEBUG"  # if set, a bug in tightrope shows its traceback
_OS_HINTS: Final = {
    errno.ENOENT: "create the folder first, or check the path",
    errno.EISDIR: "give a file, not a folder",
    errno.ENOTDIR: "a part of this path is a file; choose another path",
    errno.ENOSPC: "free some space, or use a folder on another disk",
    errno.EDQUOT: "free some space, or use a folder on another disk",
    errno.EFBIG: "raise the limit on file size:  ulimit -f unlimited",
    errno.EROFS: "use a writable folder",
    errno.EACCES: "check the permissions, or use another path",
}
_EXIT_CODES = (
    "Exit codes: 0 success; 1 `check` found errors; 2 bad command line or input file; "
    "3 a target, worker or disk failed; 130 interrupted."
)


tightrope = LazyGroup(
    "tightrope",
    help="Tune the parameters of a program: stop slow runs early, and learn from the bound they leave.",
    epilog=_EXIT_CODES,
    context_settings={"help_option_names": ["-h", "--help"]},
)
click.version_option(package_name="tightrope", message="%(prog)s %(version)s")(tightrope)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit; errors are printed as messages, never as tracebacks."""
    try:
        code = run(arguments)
    except Exception as error:  # a bug in tightrope
        if os.environ.get(_DEBUG):
            raise
        say_error(_bug_report(error))
        code = Exit.FAILED
    sys.exit(code)


def _bug_report(error: Exception) -> str:
    """Describe a bug in tightrope and how to report it."""
    *_, frame = traceback.extract_tb(error.__traceback__)
    return (
        f"error: this is a bug in tightrope: {type(error).__name__}: {error} "
        f"({Path(frame.filename).name}:{frame.lineno}); finished runs are safe in the journal\n"
        f"please report it, with the output of the same command after  export {_DEBUG}=1"
    )


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; Python's warnings become messages."""
    with warnings.catch_warnings():
        warnings.showwarning = _show_warning
        return _run(arguments)


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    say_error(f"warning: {message}")


def _run(arguments: Sequence[str] | None) -> int:
    try:
        result = tightrope.main(arguments, prog_name="tightrope", standalone_mode=False)
    except click.exceptions.Exit as exit_:
        return exit_.exit_code
    except click.ClickException as error:
        show(error)
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        say_error("interrupted")
        return Exit.INTERRUPTED
    except BrokenPipeError:  # the reader of our output, such as `head`, has closed it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.DONE
    except TightropeError as error:
        say_error(f"error: {_described(error)}")
        return _exit_code(error)
    except OSError as error:
        say_error(f"error: {_described_os(error)}")
        return Exit.FAILED
    return result if isinstance(result, int) else Exit.DONE


def _described(error: TightropeError) -> str:
    """Describe an error; what a target printed is indented, so that it cannot pass for a line of ours."""
    if not isinstance(error, TargetError) or "\n" not in error.problem:
        return str(error)
    indented = "\n    ".join(str(error).removesuffix(error.hint).rstrip("\n").split("\n"))
    return f"{indented}\n{error.hint}" if error.hint else indented


def _described_os(error: OSError) -> str:
    """Describe an error of the operating system; the file comes first, as in our own errors."""
    if error.strerror is None:
        return str(error)
    hint = _OS_HINTS.get(error.errno or 0, "check the path and its permissions")
    text = f"{error.strerror.lower()}; {hint}"
    return text if error.filename is None else f"{error.filename}: {text}"


def _exit_code(error: TightropeError) -> Exit:
    return Exit.USAGE if isinstance(error, (ScenarioError, SpaceError, UsageError)) else Exit.FAILED
