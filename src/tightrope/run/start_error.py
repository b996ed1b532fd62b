"""StartError: what this machine lacks to start a run, told apart from what is wrong with a command."""

import errno
import os

from tightrope.errors import TargetError
from tightrope.run.supervise.report import Ending, Reason

_FILES = "raise the limit on open files (ulimit -n), or use fewer workers"
_PROCESSES = "raise the limit on processes (ulimit -u, or pids.max of a control group), or use fewer workers"
_MEMORY = "free memory, raise the limit on it (ulimit -v, or that of the control group), or use fewer workers"
_DISK = "check the disk or the network that holds the program"
_REMEDIES = {
    errno.EMFILE: _FILES,
    errno.ENFILE: "raise the limit on open files of the whole system (sysctl fs.file-max)",
    errno.EAGAIN: _PROCESSES,
    errno.ENOMEM: _MEMORY,
    errno.ENOBUFS: _MEMORY,
    errno.ENOSPC: "free space on the disk",
    errno.EIO: _DISK,
    errno.ESTALE: _DISK,
    errno.EINTR: "try again",
    errno.ETXTBSY: "wait until the program is no longer being written",
}


class StartError(TargetError):
    """A run that this machine could not start, through no fault of its config; it may be tried again.

    Examples
    --------
    >>> print(StartError("cannot be started: Too many open files", hint="raise the limit (ulimit -n)"))
    cannot be started: Too many open files; raise the limit (ulimit -n)
    """


def is_ours(error_number: int) -> bool:
    """Return whether an error says that this machine lacks something, whatever is to be started."""
    return error_number in _REMEDIES


def read_start_error(error: OSError, *, cwd: str | None = None) -> TargetError:
    """Return the error for a supervisor or a worker that could not be started."""
    problem = f"cannot start the supervisor of a run: {error}"
    if error.errno == errno.E2BIG:
        return TargetError(problem, hint="shorten the arguments or the environment of the command")
    if error.errno in _REMEDIES:
        return StartError(problem, hint=_REMEDIES[error.errno])
    if cwd is not None and not os.path.isdir(cwd):
        return StartError(f"its working directory {cwd} is missing: {error.strerror}", hint="restore it")
    return StartError(problem, hint="check the folder, and the installation of tightrope")


def start_error_of(ending: Ending) -> StartError | None:
    """Return why a run was not started, if its command is not to blame."""
    if ending.reason is not Reason.UNSTARTED:
        return None
    number = ending.error_number
    if ending.stage == "execute" and not is_ours(number):
        return None
    hint = {"pin": "check which cores this process may use"}.get(ending.stage, "check the machine's limits")
    return StartError(f"cannot be started: {os.strerror(number)}", hint=_REMEDIES.get(number, hint))
