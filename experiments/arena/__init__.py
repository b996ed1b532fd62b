"""Where tunings of recorded solvers compete, in simulated time."""
