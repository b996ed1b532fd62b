"""All columns of a space: the parameters in order, and their properties as arrays."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from tightrope.space.column import Column
from tightrope.space.scale import Floats, Mask, Scale
from tightrope.space.types import KINDS


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """The columns of a row, with their properties as arrays of length d."""

    each: tuple[Column, ...]
    position: Mapping[str, int]
    scale: Scale
    categorical: Mask
    defaults: Floats

    @classmethod
    def of(cls, columns: Iterable[Column]) -> "Columns":
        """Combine columns."""
        each = tuple(columns)
        scale = Scale(
            lower=np.array([column.lower for column in each], dtype=np.float64),
            upper=np.array([column.upper for column in each], dtype=np.float64),
            is_log=np.array([column.is_log for column in each], dtype=np.bool_),
            is_whole=np.array([column.is_whole for column in each], dtype=np.bool_),
        )
        return cls(
            each=each,
            position={column.name: j for j, column in enumerate(each)},
            scale=scale,
            categorical=np.array([column.is_categorical for column in each], dtype=np.bool_),
            defaults=np.array([column.default for column in each], dtype=np.float64),
        )

    def __len__(self) -> int:
        return len(self.each)

    @property
    def ordinal(self) -> Mask:
        """Mask of the columns whose neighbours are the adjacent levels."""
        return np.array([column.is_ordinal for column in self.each], dtype=np.bool_)

    @property
    def summary(self) -> str:
        """Number of columns of each kind, in words."""
        counts = Counter(column.kind for column in self.each)
        kinds = ", ".join(f"{counts[kind]} {kind}" for kind in KINDS if counts[kind])
        return f"{len(self)} parameter{'s' if len(self) > 1 else ''}: {kinds}"

    def for_model(self, rows: Floats) -> Floats:
        """Return rows as input for models; see `Space.for_model`."""
        view = self.scale.normalize(rows)
        view[:, self.categorical] = rows[:, self.categorical]
        return view
