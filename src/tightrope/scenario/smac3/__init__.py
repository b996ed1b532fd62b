"""Reader of the run folders that SMAC3 writes: its run history, with what its scenario says about it."""
