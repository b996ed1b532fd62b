"""Solvers whose runs are recorded: programs and libraries, instances, and files of recorded runs."""
