"""Tunings of recorded solvers in simulated time, and their results."""
