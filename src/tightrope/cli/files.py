"""Reading and writing the user's files, with errors that name the file."""

from pathlib import Path

from tightrope.errors import Fault, ScenarioError


def require_scenario(file: Path) -> None:
    """Raise an error unless the scenario file exists."""
    if not file.is_file():
        problem = "this is a folder" if file.is_dir() else "there is no such file"
        hint = "write one with `tightrope init`, or give the path of yours:  tightrope tune SCENARIO"
        raise ScenarioError(Fault(problem, hint, str(file)))


def write_file(file: Path, text: str) -> None:
    """Write a text file; if that fails, remove a file that was new and incomplete.

    Raises
    ------
    OSError
        With the file's name, which Python leaves out when the disk is full.
    """
    is_new = not file.exists()
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        if is_new:
            file.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(file)) from error
