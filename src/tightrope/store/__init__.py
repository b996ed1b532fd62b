"""The journal of a tuning run, and the history of runs."""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tightrope.store.entry import Decision, Entry, Meta
    from tightrope.store.history import History
    from tightrope.store.journal import Journal
    from tightrope.store.lock import Holder
    from tightrope.store.reader import JournalReader
    from tightrope.store.rescued import Rescued, rescue
    from tightrope.store.salvaged import Fallback, Salvaged, salvage
    from tightrope.store.summary import Summary

__all__ = [
    "Decision",
    "Entry",
    "Fallback",
    "History",
    "Holder",
    "Journal",
    "JournalReader",
    "Meta",
    "Rescued",
    "Salvaged",
    "Summary",
    "rescue",
    "salvage",
]

_HOMES = {
    "Decision": "entry",
    "Entry": "entry",
    "Fallback": "salvaged",
    "History": "history",
    "Holder": "lock",
    "Journal": "journal",
    "JournalReader": "reader",
    "Meta": "entry",
    "Rescued": "rescued",
    "Salvaged": "salvaged",
    "Summary": "summary",
    "rescue": "rescued",
    "salvage": "salvaged",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is asked for: looking at a lock needs no arrays.

    No module has the name of a function: importing it would put the module in the place of the function.
    """
    if name not in _HOMES:
        raise AttributeError(f"module 'tightrope.store' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"tightrope.store.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
