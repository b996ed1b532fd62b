"""Tactics compared on scenarios that no peer is compared on."""
