"""Which options of Kissat the demo should tune."""
