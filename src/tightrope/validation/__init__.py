"""Configs side by side on the same tasks: what is run, and what came of it."""
