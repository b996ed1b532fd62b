"""Drawing for the page: scales, plots as SVG, and tables as CSV."""
