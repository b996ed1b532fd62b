"""Comparing configs: ratios with intervals, progress of a tuning, caveats, validation."""
