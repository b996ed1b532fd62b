"""The journal of a tuning run, and the history of runs."""

from tightrope.store.entry import Decision, Entry, Meta
from tightrope.store.history import History
from tightrope.store.journal import Journal
from tightrope.store.lock import Holder
from tightrope.store.reader import JournalReader
from tightrope.store.salvage import Salvaged, salvage
from tightrope.store.summary import Summary

__all__ = [
    "Decision",
    "Entry",
    "History",
    "Holder",
    "Journal",
    "JournalReader",
    "Meta",
    "Salvaged",
    "Summary",
    "salvage",
]
