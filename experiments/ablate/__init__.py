"""Ablations against full ones."""
