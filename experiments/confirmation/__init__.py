"""Real processes and CPU time, where the other experiments have recordings and simulated time."""
