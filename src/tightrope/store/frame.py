"""The optional dependency pandas."""

from typing import Any


def pandas() -> Any:
    """Return pandas, or raise an error that explains how to install it."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError('to_frame needs pandas: pip install "tightrope[plot]"') from error
    return pandas
