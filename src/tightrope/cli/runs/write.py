"""How files are written for users: all of it, or nothing and an error that names the file."""

from pathlib import Path


def write_file(file: Path, text: str) -> None:
    """Write a text into a file; if that fails, what is there of a new one is removed.

    Raises
    ------
    OSError
        With the file's name, which that of a full disk lacks.
    """
    is_new = not file.exists()
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        if is_new:
            file.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(file)) from error
