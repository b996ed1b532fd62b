"""Checksums of rows: 64 bits over all values of a row, for one row or for whole columns.

=========  ==========================================================================================
symbol     meaning
=========  ==========================================================================================
word       64 bits for a value: an integer itself, the bits of a float, the CRC-32 of a text
factor     an odd number for each column, from its name and its table's
checksum   sum over columns of factor x (word - word of the column's default), modulo 2^64
=========  ==========================================================================================

An odd factor is invertible modulo 2^64, so any change of a single value changes the checksum, except for one
in 2^32 changes of a text that spread over more than 32 bits. A column with its default adds nothing: rows
keep their checksums when a later version adds a column.
"""

import hashlib
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import nan
from operator import mul
from typing import Any, Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]

_MASK: Final = 2**64 - 1
_SIGN: Final = 2**63
_FORMATS: Final = {"i": "q", "f": "d", "t": "q"}


@dataclass(frozen=True)
class Column:
    """A column: its name, its kind (i: integer, f: float or NULL, t: text), and its default."""

    name: str
    kind: str
    default: float | int | None = 0


@dataclass(frozen=True)
class RowSum:
    """The checksum of a table's rows; a row has its values in the order of the columns."""

    table: str
    columns: tuple[Column, ...]

    def of(self, row: Sequence[Any]) -> int:
        """Return the checksum of a row, as SQLite stores it: a signed integer.

        TypeError, ValueError or struct.error if a value is not of its column's kind.
        """
        total: int = sum(map(mul, self._factors, self._words(row)), self._offset) & _MASK
        return total - 2 * _SIGN if total >= _SIGN else total

    def arrays(self, columns: Sequence[Sequence[Any]]) -> list[Any]:
        """Return columns as arrays: of integers and floats (NaN for NULL); texts stay as they are.

        TypeError, ValueError or OverflowError if a value is not of its column's kind.
        """
        dtypes = {"i": np.int64, "f": np.float64}
        return [
            values if column.kind == "t" else np.array(values, dtype=dtypes[column.kind])
            for column, values in zip(self.columns, columns, strict=True)
        ]

    def of_arrays(self, arrays: Sequence[Any]) -> NDArray[np.int64]:
        """Return the checksums of all rows, given their columns as arrays."""
        total: Words = np.full(len(arrays[0]), self._offset & _MASK, dtype=np.uint64)
        for kind, values, factor in zip(self._kinds, arrays, self._factors, strict=True):
            total += _words_of(kind, values) * np.uint64(factor)
        return total.view(np.int64)

    def _words(self, row: Sequence[Any]) -> tuple[int, ...]:
        values = list(row)
        for i in self._texts:
            values[i] = _text_word(values[i])
        try:
            words = self._unpacked.unpack(self._packing.pack(*values))
        except struct.error:
            words = None
        if words is None or _SIGN in words:  # perhaps NULL, or a negative zero
            for i in self._floats:
                values[i] = nan if values[i] is None else values[i] + 0.0
            words = self._unpacked.unpack(self._packing.pack(*values))
        return words

    @cached_property
    def _kinds(self) -> str:
        return "".join(column.kind for column in self.columns)

    @cached_property
    def _texts(self) -> tuple[int, ...]:
        return tuple(i for i, kind in enumerate(self._kinds) if kind == "t")

    @cached_property
    def _floats(self) -> tuple[int, ...]:
        return tuple(i for i, kind in enumerate(self._kinds) if kind == "f")

    @cached_property
    def _packing(self) -> struct.Struct:
        return struct.Struct("<" + "".join(_FORMATS[kind] for kind in self._kinds))

    @cached_property
    def _unpacked(self) -> struct.Struct:
        return struct.Struct(f"<{len(self.columns)}Q")

    @cached_property
    def _factors(self) -> tuple[int, ...]:
        return tuple(_factor(f"{self.table}.{column.name}") for column in self.columns)

    @cached_property
    def _offset(self) -> int:
        defaults = self._words([b"" if column.kind == "t" else column.default for column in self.columns])
        total: int = sum(map(mul, self._factors, defaults))
        return -total


def _factor(name: str) -> int:
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "little") | 1


def _text_word(value: str | bytes) -> int:
    if isinstance(value, str):
        value = value.encode("utf-8", "surrogatepass")
    return crc32(value)


def _words_of(kind: str, values: Any) -> Words:
    if kind == "i":
        return np.asarray(values).view(np.uint64)
    if kind == "t":
        return _text_words(values)
    numbers = np.asarray(values) + 0.0
    numbers[np.isnan(numbers)] = nan
    return numbers.view(np.uint64)


def _text_words(values: Iterable[str | bytes]) -> Words:
    """Return the words of texts, each distinct one computed once: most columns repeat a few."""
    known = {value: _text_word(value) for value in set(values)}
    return np.array([known[value] for value in values], dtype=np.uint64)
