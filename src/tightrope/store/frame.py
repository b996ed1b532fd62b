"""pandas, which is an extra."""

from typing import Any


def pandas() -> Any:
    """Return pandas, or say how to get it."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError('to_frame needs pandas: pip install "tightrope[plot]"') from error
    return pandas
