"""Tunings of recorded solvers in simulated time, and what they found."""
