"""Recording what solvers cost, in their own deterministic units, for experiments in simulated time."""
