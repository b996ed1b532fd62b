"""What earlier tunings on other instances gain, and what misleading ones cost."""
