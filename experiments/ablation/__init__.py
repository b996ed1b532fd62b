"""Which settings matter to a censored forest."""
