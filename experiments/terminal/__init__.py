"""The picture of the terminal in the README."""
