"""Decides what is run next, and under which cap."""
