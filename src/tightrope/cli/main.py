"""The command `tightrope`: verbs, errors and exit codes."""

import os
import sys
from collections.abc import Sequence
from enum import IntEnum

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
    sys.exit(run(arguments))


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
        click.echo(f"error: {error}", err=True)
        return Exit.FAILED
    return result if isinstance(result, int) else Exit.DONE


def _code_of(error: TightropeError) -> Exit:
    return Exit.USAGE if isinstance(error, (ScenarioError, SpaceError, UsageError)) else Exit.FAILED
