"""The journal of a tuning run, and the history of runs."""

from tightrope.store.entry import Decision, Entry, Meta
from tightrope.store.history import History
from tightrope.store.journal import Journal
from tightrope.store.lock import Holder
from tightrope.store.reader import JournalReader
from tightrope.store.rescue import Rescued, rescue
from tightrope.store.salvage import Fallback, Salvaged, salvage
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
