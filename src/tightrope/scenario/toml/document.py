"""A scenario in TOML while it is read: its entries, values and faults."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from tightrope.errors import Fault, ScenarioError
from tightrope.scenario.text.faults import Faults
from tightrope.scenario.text.source import Source
from tightrope.scenario.toml.entry import Entry, read_document, refuse_unknown
from tightrope.scenario.toml.keys import KEYS


@dataclass(frozen=True, slots=True)
class Document:
    """The content of a file. In `values`, keys whose value depends on other keys are still entries."""

    source: Source
    folder: Path
    entries: Mapping[str, Entry]
    values: dict[str, Any] = field(default_factory=dict)
    faults: Faults = field(default_factory=Faults)

    def file(self, entry: Entry) -> Path:
        """Return the path of the file that an entry refers to; it must exist."""
        path = self.folder / entry.text("a path in quotes")
        if not os.path.isfile(path):
            raise entry.error(f"there is no file {str(path)!r}", hint="check the path")
        return path

    def locate(self, error: ScenarioError) -> ScenarioError:
        """Return the error with faults that point to their keys."""
        return ScenarioError(*(self._located(fault) for fault in error.faults))

    def _located(self, fault: Fault) -> Fault:
        entry = self.entries.get(fault.key or "")
        if entry is None or fault.file:
            return replace(fault, file=fault.file or self.source.file)
        (placed,) = entry.error(fault.problem, hint=fault.hint).faults
        return placed


def open_document(source: Source, folder: Path) -> Document:
    """Read all keys of a scenario that do not depend on other keys."""
    document = Document(source, folder, read_document(source).table())
    with document.faults.collecting():
        refuse_unknown(document.entries, [key.name for key in KEYS], what="key")
    unknown = document.entries.keys() - {key.name for key in KEYS}  # may be a misspelt required key
    for key in KEYS:
        with document.faults.collecting():
            if key.name in document.entries:
                document.values[key.name] = key.read(document.entries[key.name])
            elif key.is_required and not get_close_matches(key.name, unknown):
                hint = f"add it, for example {key.name} = {key.example}"
                raise ScenarioError(
                    Fault(f"the key `{key.name}` is missing", hint, source.file, key=key.name)
                )
    return document
