"""Parsing helpers for all formats: positions in a file, collected faults, key-value lines, expressions."""
