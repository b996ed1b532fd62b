"""The sections of the page: each module turns a tuning into figures."""
