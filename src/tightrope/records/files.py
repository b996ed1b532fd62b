"""Names of files that several parts know."""

from typing import Final

TUNING_JOURNAL: Final = "tuning.journal"  # the journal in a run folder
