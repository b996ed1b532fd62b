"""Where tunings lose: search, selection, and long runs, on arenas with known truth."""
