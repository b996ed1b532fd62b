"""Reader and writer of irace parameter files, and reader of irace scenario files."""
