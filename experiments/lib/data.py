"""The folder of recorded runs that are not part of the repository."""

import os
from pathlib import Path

VARIABLE = "TIGHTROPE_DATA"


def data_folder() -> Path | None:
    """Return the folder that the environment names; None if it names none."""
    return Path(os.environ[VARIABLE]) if os.environ.get(VARIABLE) else None
