"""Config: one setting of all parameters."""

from collections.abc import Iterator, Mapping
from typing import Any, NoReturn, final


@final
class Config(Mapping[str, Any]):
    """One setting of all parameters: the values of those that are active, in the order of the space.

    A config cannot be changed. Two configs are equal if they hold the same values under the same names; a
    config also equals a dictionary with its content, and can itself be the key of a dictionary.

    Parameters
    ----------
    values : mapping from str
        The active parameters' values; it is copied.

    Examples
    --------
    >>> config = Config({"kind": "a", "x": 0.5})
    >>> config["x"], len(config)
    (0.5, 2)
    >>> config == {"x": 0.5, "kind": "a"}
    True
    >>> config
    Config({'kind': 'a', 'x': 0.5})
    >>> {**config, "x": 1.0}
    {'kind': 'a', 'x': 1.0}
    """

    __slots__ = ("_hash", "_values")

    _values: dict[str, Any]
    _hash: int | None

    def __init__(self, values: Mapping[str, Any]) -> None:
        object.__setattr__(self, "_values", dict(values))
        object.__setattr__(self, "_hash", None)

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __contains__(self, name: object) -> bool:
        return name in self._values

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Config):
            return self._values == other._values
        return self._values == dict(other) if isinstance(other, Mapping) else NotImplemented

    def __hash__(self) -> int:
        if self._hash is None:
            object.__setattr__(self, "_hash", _hash_of(self._values))
        assert self._hash is not None
        return self._hash

    def __repr__(self) -> str:
        return f"Config({self._values!r})"

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(
            f"a Config cannot be changed: write {{**config, ...}} instead of setting {name!r}"
        )

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a Config cannot be changed: {name!r} stays")

    def __reduce__(self) -> tuple[type["Config"], tuple[dict[str, Any]]]:
        return Config, (self._values,)


def _hash_of(values: dict[str, Any]) -> int:
    try:
        return hash(frozenset(values.items()))
    except TypeError:  # a choice that is a list, say: equal configs have at least equal names
        return hash(frozenset(values))
