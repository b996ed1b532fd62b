"""The engine of `tune`: which config runs on which task, under which cap. Start with `engine.py`."""
