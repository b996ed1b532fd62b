"""Lets `python -m tightrope` do what the command `tightrope` does."""

from tightrope.cli.main import main

if __name__ == "__main__":
    main()
