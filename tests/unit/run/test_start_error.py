"""What this machine lacks is told apart from what is wrong with a command."""

import errno
import os

import pytest

from tightrope.run.start_error import StartError, read_start_error, start_error_of
from tightrope.run.supervise.report import Ending, Reason


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM, errno.EIO])
@pytest.mark.parametrize("stage", ["prepare", "fork", "execute"])
def test_scarcity_is_ours_at_every_stage(number: int, stage: str) -> None:
    error = start_error_of(Ending(Reason.UNSTARTED, error_number=number, stage=stage))
    assert error is not None
    assert os.strerror(number) in error.problem
    assert error.hint != ""


@pytest.mark.parametrize("number", [errno.ENOENT, errno.EACCES, errno.ENOEXEC, errno.E2BIG, errno.ELOOP])
def test_a_program_that_cannot_be_executed_is_the_commands_fault(number: int) -> None:
    assert start_error_of(Ending(Reason.UNSTARTED, error_number=number, stage="execute")) is None


def test_a_core_that_is_gone_is_ours() -> None:
    error = start_error_of(Ending(Reason.UNSTARTED, error_number=errno.EINVAL, stage="pin"))
    assert error is not None
    assert "cores" in error.hint


def test_a_run_that_ended_was_started() -> None:
    assert start_error_of(Ending(Reason.EXITED, 1)) is None


def test_arguments_that_are_too_long_are_the_commands_fault() -> None:
    error = read_start_error(OSError(errno.E2BIG, "Argument list too long"))
    assert not isinstance(error, StartError)


def test_a_missing_folder_is_ours_and_is_named() -> None:
    error = read_start_error(FileNotFoundError(errno.ENOENT, "No such file"), cwd="/no/such/folder")
    assert isinstance(error, StartError)
    assert "/no/such/folder is missing" in error.problem
