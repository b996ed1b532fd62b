"""Python functions as targets: called in this process or in workers."""
