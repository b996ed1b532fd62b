"""Other configurators, tuning the same recorded solvers with the same budget."""
