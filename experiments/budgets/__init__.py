"""How many runs a tuning makes with each budget."""
