"""Tunings of SPEAR for software verification, in simulated time."""
