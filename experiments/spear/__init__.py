"""Tuning the solver SPEAR on software verification, in simulated time."""
