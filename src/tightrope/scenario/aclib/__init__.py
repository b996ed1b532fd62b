"""Readers of SMAC, ParamILS and AClib scenario files and instance files."""
