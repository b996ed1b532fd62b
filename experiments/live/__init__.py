"""Live tunings, with real processes and CPU time, compared with simulated ones."""
