"""Kissat, a SAT solver: where it is, and which of its options are worth tuning."""

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from tightrope.errors import UsageError

PACKAGE = "passagemath-kissat"  # a package of the executable, less than 1 MB

SWITCHES = ("probe", "preprocess", "sweep", "congruence", "vivify", "eliminate")
LEVELS = ("stable", "target")
NUMBERS = ("reducelow", "restartmargin")
MAGNITUDES = (  # what matters is by which factor they change
    "eliminatebound",
    "tier1",
    "tier2",
    "reduceint",
    "restartint",
    "decay",
    "walkeffort",
    "rephaseint",
)


@dataclass(frozen=True, slots=True)
class Option:
    """An option of the solver and its values: whole numbers, 0 and 1 for what is off or on."""

    name: str
    lower: int
    default: int
    upper: int


def find_kissat() -> Path:
    """Return the path of the executable, or raise an error that says how to install it."""
    try:
        files = distribution(PACKAGE).files or []
    except PackageNotFoundError:
        raise UsageError(
            "this needs the SAT solver Kissat, which is not installed",
            hint=f'pip install "tightrope[demo]", or just  pip install {PACKAGE}',
        ) from None
    found = [Path(str(file.locate())) for file in files if file.match("bin/kissat")]
    if not found:
        raise UsageError(
            f"the package {PACKAGE} is installed, but has no executable bin/kissat for this platform",
            hint=f"pip install --force-reinstall {PACKAGE}",
        )
    return found[0].resolve()


def read_options(executable: Path) -> dict[str, Option]:
    """Ask the solver for its options."""
    asked = subprocess.run([executable, "--range"], capture_output=True, text=True, check=True)
    return parse_options(asked.stdout)


def parse_options(text: str) -> dict[str, Option]:
    """Read lines of a name, a least value, a default and a greatest value.

    >>> parse_options("tier1 1 2 100\\n")["tier1"].default
    2
    """
    options = {}
    for line in text.splitlines():
        name, *values = line.split()
        lower, default, upper = (int(value) for value in values)
        options[name] = Option(name, lower, default, upper)
    return options


def write_params(options: Mapping[str, Option]) -> str:
    """Write the options worth tuning as the table `params` of a scenario."""
    lines = ["[params]"]
    for kind, names in _KINDS.items():
        lines += [f"{name} = {{ {kind(options[name])} }}" for name in names]
    return "\n".join(lines) + "\n"


def _switch(option: Option) -> str:
    return f'type = "boolean", default = {str(option.default == 1).lower()}'


def _level(option: Option) -> str:
    values = list(range(option.lower, option.upper + 1))
    return f'type = "categorical", values = {values}, default = {option.default}'


def _number(option: Option) -> str:
    return f'type = "integer", range = [{option.lower}, {option.upper}], default = {option.default}'


def _magnitude(option: Option) -> str:
    # No logarithm of 0: that value is left out.
    lower = max(option.lower, 1)
    return f'type = "integer", range = [{lower}, {option.upper}], default = {option.default}, log = true'


_KINDS = {_switch: SWITCHES, _level: LEVELS, _number: NUMBERS, _magnitude: MAGNITUDES}
