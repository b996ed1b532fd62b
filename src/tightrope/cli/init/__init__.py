"""The verb init: detect the program and its files, and write a scenario."""
