"""Solver: what tightrope knows of a solver, from its file in `known/`.

A file NAME.toml is about programs whose names begin with NAME. Its keys:

=========  ==========================================================================================
key        meaning
=========  ==========================================================================================
arguments  what follows the program in the scenario's `command`
answer     the scenario's `answer`, as a TOML value in a string
style      the scenario's `style`; may be missing, as the next ones
flags      the scenario's `flags`
endings    suffixes of the files that the solver reads
note       a remark for the user
options    a table, if the program prints its options: `arguments` that make it print them, the `format` of
           what it prints, the names of those to `leave_out` (patterns with * and ?) and of those that are
           `independent` of an option whose name begins theirs, and `ranges` narrower than the printed ones
params     the parameters otherwise, as in a scenario
forbidden  their forbidden combinations, as in a scenario
=========  ==========================================================================================
"""

import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any

from ConfigSpace import ConfigurationSpace

from tightrope.scenario.solvers.parameters import space_of
from tightrope.scenario.solvers.printed import FORMATS, Option
from tightrope.scenario.text.source import Source
from tightrope.scenario.toml.entry import read_document
from tightrope.scenario.toml.parameters import read_inline

_FOLDER = files("tightrope.scenario.solvers") / "known"


@dataclass(frozen=True, slots=True)
class Printed:
    """How a solver prints its options, and which of them are no parameters."""

    arguments: tuple[str, ...]
    format: str
    leave_out: tuple[str, ...] = ()
    independent: tuple[str, ...] = ()
    ranges: Mapping[str, Sequence[float]] = field(default_factory=dict)

    def options(self, text: str) -> dict[str, Option]:
        """Return all options in what the program printed."""
        found = FORMATS[self.format](text)
        for name, (lower, upper) in self.ranges.items():
            if name in found and lower <= found[name].default <= upper:
                found[name] = replace(found[name], lower=lower, upper=upper)
        return found

    def space(
        self, options: Mapping[str, Option], *, only: Collection[str] | None = None
    ) -> ConfigurationSpace:
        """Return the parameters among the options, or only those of these names."""
        wanted = options if only is None else {name: options[name] for name in only if name in options}
        return space_of(wanted, leave_out=self.leave_out, independent=self.independent)


@dataclass(frozen=True, slots=True)
class Solver:
    """What tightrope knows of a solver; the module's table explains it."""

    arguments: str
    answer: str
    style: str = ""
    flags: str = ""
    endings: tuple[str, ...] = ()
    note: str = ""
    printed: Printed | None = None
    space: ConfigurationSpace | None = None


@cache
def solver_names() -> tuple[str, ...]:
    """Return the names of all known solvers."""
    return tuple(sorted(each.name.removesuffix(".toml") for each in _FOLDER.iterdir() if each.is_file()))


def solver_of(program: str) -> str | None:
    """Return the known solver that a program's name begins with, the longest if there are several.

    >>> solver_of("kissat-4.0.1"), solver_of("Glucose_static"), solver_of("mysolver")
    ('kissat', 'glucose', None)
    """
    return max((name for name in solver_names() if program.lower().startswith(name)), key=len, default=None)


@cache
def read_solver(name: str) -> Solver:
    """Read what is known of a solver.

    >>> read_solver("cadical").printed.arguments
    ('--help',)
    """
    text = (_FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    known = tomllib.loads(text)
    options = known.pop("options", None)
    return Solver(
        **{key: _frozen(value) for key, value in known.items() if key not in ("params", "forbidden")},
        printed=None if options is None else Printed(**{key: _frozen(each) for key, each in options.items()}),
        space=_read_params(text, name) if "params" in known else None,
    )


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _read_params(text: str, name: str) -> ConfigurationSpace:
    entries = read_document(Source.of_text(text, file=f"{name}.toml")).table()
    return read_inline(entries["params"], entries.get("forbidden"))
