"""Scenarios in TOML: reading and writing."""
