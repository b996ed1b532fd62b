"""Cost of getting close to the optimum of functions that cost what they return."""
