"""The optional dependency pandas."""

from typing import Any


def pandas(*, needed_by: str = "to_frame") -> Any:
    """Return pandas, or raise an error that explains how to install it."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError(f'{needed_by} needs pandas: pip install "tightrope[plot]"') from error
    return pandas
