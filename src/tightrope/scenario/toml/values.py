"""Readers of the values of single keys of a scenario in TOML."""

from collections.abc import Sequence
from typing import Final

from tightrope.scenario.toml.entry import Entry

_SEED_LIMIT: Final = 2**63  # journals store 64-bit integers


def read_command(entry: Entry) -> str | list[str]:
    """Return the command line, or the list of its words."""
    if isinstance(entry.value, list):
        return [item.text() for item in entry.items()]
    return entry.text("a command line in quotes, or a list of its words")


def read_style(entry: Entry) -> str | dict[str, str]:
    """Return the pattern of all parameters, or the pattern of each."""
    if isinstance(entry.value, dict):
        return {name: pattern.text() for name, pattern in entry.table().items()}
    style = entry.text('a pattern such as "--{name}={value}"')
    if "{value}" not in style:
        raise entry.error("the pattern has no {value}", hint='write for example "--{name}={value}"')
    return style


def read_flags(entry: Entry) -> str:
    """Return the pattern of boolean parameters."""
    flags = entry.text('a pattern such as "--{name}/--no-{name}"')
    if "{name}" not in flags:
        raise entry.error("the pattern has no {name}", hint='write for example "--{name}/--no-{name}"')
    return flags


def read_memory_mb(entry: Entry) -> float:
    """Return a positive amount of memory."""
    size = entry.size_mb()
    if not size > 0:
        raise entry.error("the memory limit must be positive", hint='write it like "2GB", or omit it')
    return size


def read_seeds(entry: Entry) -> Sequence[int]:
    """Return a list of seeds."""
    return [read_seed(item) for item in entry.items("a list of integers")]


def read_seed(entry: Entry) -> int:
    """Return a seed of at most 64 bits."""
    seed = entry.integer()
    if not -_SEED_LIMIT <= seed < _SEED_LIMIT:
        raise entry.error(f"{seed} has more than 64 bits", hint="use a smaller number")
    return seed


def read_variables(entry: Entry) -> dict[str, str]:
    """Return environment variables."""
    variables = entry.table()
    for name, value in variables.items():
        if not name or "=" in name or "\0" in name:
            raise value.error(f"invalid name of an environment variable: {name!r}", hint="check the name")
    return {name: value.text() for name, value in variables.items()}


def read_keep_kb(entry: Entry) -> int:
    """Return the amount of output to keep, in units of 1024 bytes."""
    size = entry.size_mb() * 1e6 / 1024
    if not 1 <= size < 1e9:
        raise entry.error("expected at least 1KiB", hint='write it like "32KiB"')
    return round(size)


def read_clock(entry: Entry) -> str:
    """Return the clock of a run."""
    return entry.one_of(("cpu", "wall"))


def read_cost(entry: Entry) -> str:
    """Return the kind of cost."""
    return entry.one_of(("cpu", "wall", "printed"))
