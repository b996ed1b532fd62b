"""Record the costs of a solver's configs."""
