"""The report of one or several tunings: one HTML page with its figures and their data."""
