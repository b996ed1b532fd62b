"""Settings for the whole suite."""

from hypothesis import settings

# The machine's speed is not what is tested, and a failure must come back when the test is run again.
settings.register_profile("tightrope", deadline=None, derandomize=True)
settings.load_profile("tightrope")
