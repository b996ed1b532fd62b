"""What users call: tune, minimize, Optimizer, check, validate, and their results."""
