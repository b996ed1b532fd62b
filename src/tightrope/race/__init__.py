"""Decides a tuning: which config meets which task, and under which cap."""
