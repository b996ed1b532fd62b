"""Tightrope compared with irace, SMAC3, Optuna and random search."""
