"""The figures of the report as Python functions; they are called `tightrope.figures.caps` and so on."""
