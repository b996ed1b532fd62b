"""What `tightrope demo` tunes on: generated formulas, and a solver for them."""
