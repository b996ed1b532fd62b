"""Torture that takes an hour: kills, adversarial runs and fuzzed inputs, by the thousand."""
