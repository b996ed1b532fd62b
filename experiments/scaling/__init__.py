"""Time to quality with 1 to 256 simulated workers."""
