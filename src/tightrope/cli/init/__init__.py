"""The verb init: detect what is in a folder and write a scenario."""
