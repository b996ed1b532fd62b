"""What it costs to minimise a function that costs what it returns."""
