"""Input files of irace, and conversion of its values to configs."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ConfigSpace import ConfigurationSpace
from lib.arena.arena import Arena

from tightrope.records import Config
from tightrope.scenario import write_irace

_REFERENCES = {"name", "child", "parent", "left", "right"}  # keys of parameter names in a serialised space
_DIGITS = "4"  # irace's own default


class IraceNames:
    """A space whose parameters are called p1, p2, ...: R's expressions do not allow all names.

    Parameters
    ----------
    space : ConfigurationSpace
        The space with its own names.
    """

    def __init__(self, space: ConfigurationSpace) -> None:
        self._space = space
        self._short = {name: f"p{number}" for number, name in enumerate(space, start=1)}
        self._choices = {
            name: {str(choice): choice for choice in getattr(space[name], "choices", ())} for name in space
        }

    def parameters(self) -> tuple[str, int]:
        """Return the text of irace's parameter file, and the number of decimals that irace rounds to."""
        renamed = self._rename(self._space.to_serialized_dict())
        text = write_irace(ConfigurationSpace.from_serialized_dict(renamed))
        lines, _, digits = text.partition("\n[global]\ndigits = ")  # in irace 3.5 digits are an option only
        return lines, int(digits or _DIGITS)

    def table(self, config: Mapping[str, Any]) -> str:
        """Return irace's table of initial configurations, with this config only."""
        values = [f'"{config[name]}"' if name in config else "NA" for name in self._short]
        return f"{' '.join(self._short.values())}\n{' '.join(values)}\n"

    def read(self, pairs: Iterable[str]) -> Config:
        """Return the config of irace's active parameters, each given as name=value."""
        found = dict(pair.split("=", maxsplit=1) for pair in pairs)
        return Config(
            {
                name: self._read_one(name, found[short])
                for name, short in self._short.items()
                if short in found
            }
        )

    def _read_one(self, name: str, value: str) -> Any:
        if self._choices[name]:
            return self._choices[name][value]
        return int(value) if "Integer" in type(self._space[name]).__name__ else float(value)

    def _rename(self, node: Any) -> Any:
        if isinstance(node, list):
            return [self._rename(each) for each in node]
        if not isinstance(node, dict):
            return node
        return {
            key: self._short.get(value, value)
            if key in _REFERENCES and isinstance(value, str)
            else self._rename(value)
            for key, value in node.items()
        }


def write_files(folder: Path, arena: Arena, *, names: IraceNames, options: Mapping[str, int]) -> None:
    """Write all files that irace.R reads into a folder."""
    parameters, digits = names.parameters()
    lines = [f"{option},{value}" for option, value in {**options, "digits": digits}.items()]
    files = {
        "parameters.txt": parameters,
        "default.txt": names.table(arena.default),
        "instances.txt": "\n".join([*arena.instances_train, ""]),
        "options.csv": "\n".join(["option,value", *lines, ""]),
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
