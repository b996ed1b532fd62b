"""One parameter of a space, and the numbers that encode its values."""

from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from tightrope.errors import SpaceError

_MAX_LEVELS_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Column:
    """One parameter. `levels` are values that are stored by index; None if numbers are stored directly.

    Of an ordinal column, only the adjacent levels are neighbours.
    """

    name: str
    kind: str
    lower: float
    upper: float
    default: float
    levels: tuple[Any, ...] | None = None
    is_log: bool = False
    is_whole: bool = True
    is_categorical: bool = False
    is_ordinal: bool = False

    def code(self, value: Any) -> float:
        """Return the number that encodes a value."""
        if self.levels is not None:
            return self._level(value)
        if isinstance(value, Real) and not isinstance(value, bool | np.bool_):
            number = float(value)
            if self.lower <= number <= self.upper and (number.is_integer() or not self.is_whole):
                return number
        raise self._not_a_value(value)

    def value(self, code: float) -> Any:
        """Return the value that a number of this column encodes."""
        if self.levels is not None:
            return self.levels[int(code)]
        return int(code) if self.is_whole else code

    @property
    def accepted(self) -> str:
        """Accepted values, in words."""
        if self.levels is None:
            kind = "an integer" if self.is_whole else "a number"
            return f"{kind} from {self.value(self.lower)!r} to {self.value(self.upper)!r}"
        shown = [repr(level) for level in self.levels[:_MAX_LEVELS_SHOWN]]
        if len(self.levels) > len(shown):
            shown.append(f"... ({len(self.levels)} in all)")
        return f"one of {', '.join(shown)}" if len(self.levels) > 1 else f"the constant {shown[0]}"

    def _not_a_value(self, value: Any) -> SpaceError:
        return SpaceError(
            "not a value of this parameter", key=self.name, value=value, hint=f"accepted: {self.accepted}"
        )

    def _level(self, value: Any) -> float:
        assert self.levels is not None
        try:
            return float(self.levels.index(value))
        except ValueError:
            raise self._not_a_value(value) from None
