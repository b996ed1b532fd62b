"""Four treatments of censored runs on generated runtimes."""
