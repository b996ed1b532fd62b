"""Text on the terminal: console, live line, phrases and numbers."""
