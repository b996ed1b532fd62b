"""Many workers at once, in simulated time."""
