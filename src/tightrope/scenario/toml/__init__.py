"""Reader and writer of scenarios in TOML, and the list of their keys."""
