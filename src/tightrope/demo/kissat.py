"""Finds the SAT solver Kissat, which is installed as a Python package."""

from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Final

from tightrope.errors import UsageError

PACKAGE: Final = "passagemath-kissat"  # the executable, less than 1 MB, and little else


def find_kissat(package: str = PACKAGE) -> Path:
    """Return the path of the executable; raise with a hint if it is not installed."""
    try:
        files = distribution(package).files or []
    except PackageNotFoundError:
        raise UsageError(
            "the SAT solver Kissat is not installed",
            hint=f'pip install "tightrope[demo]"   or only   pip install {package}',
        ) from None
    found = [Path(str(file.locate())) for file in files if file.match("bin/kissat")]
    if not found:
        raise UsageError(
            f"the package {package} is installed, but has no executable bin/kissat",
            hint=f"pip install --force-reinstall {package}",
        )
    return found[0].resolve()
