"""Files of irace: parameters and scenarios."""
