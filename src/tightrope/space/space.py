"""Space: a ConfigSpace space, compiled to work on arrays of configs."""

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any, overload

import numpy as np
from ConfigSpace import ConfigurationSpace
from numpy.typing import ArrayLike

from tightrope.errors import SpaceError
from tightrope.records import Config
from tightrope.space.columns import Columns
from tightrope.space.conditions import compile_conditions
from tightrope.space.encoding import decode_one, encode_one
from tightrope.space.forbidden import compile_forbidden, is_forbidden
from tightrope.space.from_dict import space_from_dict
from tightrope.space.legality import find_legal, refuse_illegal
from tightrope.space.partition import Cells, partition
from tightrope.space.sampling import collect_legal, compile_sampler
from tightrope.space.scale import Floats, Mask
from tightrope.space.types import read_column


class Space:
    """A compiled view of a ConfigSpace space, for many configs at once.

    A *row* is a config as a vector of float64, one number per parameter in the order of `names`: numbers as
    they are, the index of a choice, 0 for a constant, NaN if inactive. Rows are arrays of shape (n, d). The
    space is read once: later additions to the ConfigSpace space have no effect.

    A parameter is active if its condition holds, by ConfigSpace's rules for vectors: a comparison with an
    inactive parent is false, except that an inactive parent differs from every value.

    Parameters
    ----------
    configspace : ConfigSpace.ConfigurationSpace
        Floats, integers, log scales, categorical and ordinal parameters, constants, normal and beta
        distributions, all conditions and forbidden clauses. `Space.of` also accepts a dictionary.

    Attributes
    ----------
    configspace : ConfigSpace.ConfigurationSpace
        The space it was made from.
    columns : Columns
        The parameter and the scale of each column.

    Examples
    --------
    >>> import numpy as np
    >>> space = Space.of({"x": (0.0, 1.0), "n": (1, 64, "log"), "kind": ["a", "b"]})
    >>> space.names
    ('kind', 'n', 'x')
    >>> space.decode(space.default())
    Config({'kind': 'a', 'n': 8, 'x': 0.5})
    >>> rows = space.sample(1000, np.random.default_rng(0))
    >>> rows.shape, bool(space.is_legal(rows).all())
    ((1000, 3), True)
    """

    __slots__ = ("_activity", "_clauses", "_sampler", "columns", "configspace")

    def __init__(self, configspace: ConfigurationSpace) -> None:
        if len(configspace) == 0:
            raise SpaceError("the space has no parameters", hint="add one")
        self.configspace = configspace
        self.columns = Columns.of(read_column(parameter) for parameter in configspace.values())
        self._activity = compile_conditions(configspace, self.columns)
        self._clauses = compile_forbidden(configspace, self.columns)
        self._sampler = compile_sampler(configspace, self.columns.scale)
        if not self.is_legal(self.default()[None, :])[0]:
            raise SpaceError(
                "the space forbids its default config", hint="give its parameters other defaults"
            )

    @classmethod
    def of(cls, space: "Space | ConfigurationSpace | Mapping[str, Any]") -> "Space":
        """Convert a space or its short form to a Space.

        Parameters
        ----------
        space : Space, ConfigSpace.ConfigurationSpace or mapping from str
            A mapping is the short form: (lower, upper) is a range, of integers if both bounds are,
            (lower, upper, "log") a range on a log scale, a list holds choices, anything else is a constant.

        Examples
        --------
        >>> Space.of({"x": (1e-3, 1.0, "log"), "kind": ["a", "b"], "threads": 1})
        Space(3 parameters: 1 float, 1 categorical, 1 constant)
        """
        if isinstance(space, Space):
            return space
        if isinstance(space, ConfigurationSpace):  # which is itself a mapping
            return cls(space)
        if isinstance(space, Mapping):
            return cls(space_from_dict(space))
        raise SpaceError(
            f"cannot make a space from {type(space).__name__}",
            hint='pass a ConfigSpace space or a dictionary such as {"x": (0.0, 1.0)}',
        )

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the parameters, in the order of the columns."""
        return tuple(self.columns.position)

    @property
    def n_columns(self) -> int:
        """Number of columns, d."""
        return len(self.columns)

    @property
    def categorical(self) -> Mask:
        """Mask of the columns that hold unordered choices, shape (d,)."""
        return self.columns.categorical

    @property
    def n_values(self) -> Floats:
        """Number of values of each parameter, shape (d,); infinite for floats."""
        return self.columns.scale.n_values

    @property
    def size(self) -> float:
        """Upper bound on the number of legal configs, exact without conditions and forbidden clauses."""
        return float(prod(self.n_values.tolist()))

    @property
    def is_parent(self) -> Mask:
        """Mask of the columns that determine whether others are active, shape (d,)."""
        return self._activity.is_parent

    def parents(self, column: int) -> frozenset[int]:
        """Return the columns that decide directly whether a column is active."""
        return self._activity.parents(column)

    def default(self) -> Floats:
        """Return the row of the default config, shape (d,)."""
        rows = self.columns.defaults[None, :].copy()
        self._activity.deactivate(rows)
        return rows.reshape(-1)

    def sample(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw legal rows, shape (n, d), from the same distribution as ConfigSpace.

        Each parameter is drawn from its own distribution, conditions are resolved, and forbidden rows are
        drawn again.

        Raises
        ------
        SpaceError
            If nearly all configs are forbidden.
        """

        def draw(count: int) -> Floats:
            rows = self._sampler.draw(count, rng)
            self._activity.deactivate(rows)
            return self._without_forbidden(rows)

        return collect_legal(draw, n)

    def as_rows(self, rows: ArrayLike) -> Floats:
        """Return rows as an array of float64; raise an error unless its shape is (n, d)."""
        array = np.asarray(rows, dtype=np.float64)
        if array.ndim != 2 or array.shape[1] != self.n_columns:
            raise SpaceError(
                f"rows of this space have shape (n, {self.n_columns}), got {array.shape}",
                hint="for a single row write row[None, :]",
            )
        return array

    def activate(self, rows: ArrayLike) -> Floats:
        """Return rows, shape (n, d), with NaN where inactive and the default where a value was missing."""
        given = self.as_rows(rows)
        filled = np.where(np.isnan(given), self.columns.defaults, given)
        self._activity.deactivate(filled)
        return filled

    def is_active(self, rows: ArrayLike) -> Mask:
        """Return which parameters are active given the values of the others, shape (n, d)."""
        return self._activity.is_active(self.as_rows(rows))

    def is_legal(self, rows: ArrayLike) -> Mask:
        """Return which rows are legal, shape (n,): values in range where active, else NaN; not forbidden."""
        return find_legal(self.columns, self._activity, self._clauses, rows=self.as_rows(rows))

    def is_forbidden(self, rows: ArrayLike) -> Mask:
        """Return which rows violate a forbidden clause, shape (n,); their values must be in range."""
        return is_forbidden(self._clauses, self.as_rows(rows))

    def from_unit(self, cube: ArrayLike) -> Floats:
        """Return rows for points of the unit cube, shape (n, d), with inactive values NaN.

        Uniform points give uniform values on each parameter's scale, for any distribution of the parameter.
        Forbidden combinations are not avoided.
        """
        rows = self.columns.scale.from_unit(self.as_rows(cube))
        self._activity.deactivate(rows)
        return rows

    def to_unit(self, rows: ArrayLike) -> Floats:
        """Return points of the unit cube that `from_unit` maps to these rows; NaN where inactive."""
        return self.columns.scale.to_unit(self.as_rows(rows))

    def for_model(self, rows: ArrayLike) -> Floats:
        """Return rows as input for models, shape (n, d).

        Numbers and ordered choices run from 0 to 1, on a log scale if they have one. Unordered choices stay
        indices, and inactive values NaN.
        """
        return self.columns.for_model(self.as_rows(rows))

    def partition(self, thresholds: Sequence[Floats], home: ArrayLike) -> list[Cells]:
        """Divide each column into cells, at thresholds in the numbers of `for_model` and by conditions.

        `home` is a row, shape (d,), whose cells are marked; where it is inactive, its default's are.
        """
        row = self.as_rows(np.asarray(home)[np.newaxis])[0]
        filled = np.where(np.isnan(row), self.columns.defaults, row)
        return partition(self.columns, self._activity, thresholds, home=filled)

    @overload
    def encode(self, configs: Mapping[str, Any]) -> Floats: ...

    @overload
    def encode(self, configs: Sequence[Mapping[str, Any]]) -> Floats: ...

    def encode(self, configs: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> Floats:
        """Return the row of a config, shape (d,), or the rows of several, shape (n, d).

        Raises
        ------
        SpaceError
            If a config is not in the space: unknown names, values out of range, missing or inactive
            parameters, forbidden combinations.

        Examples
        --------
        >>> Space.of({"n": (1, 64), "kind": ["a", "b"]}).encode({"n": 8, "kind": "b"})
        array([1., 8.])
        """
        if isinstance(configs, Mapping):
            return self.encode([configs]).reshape(-1)
        rows = np.empty((len(configs), self.n_columns))
        for i, config in enumerate(configs):
            rows[i] = encode_one(self.columns, config)
        refuse_illegal(self.columns, self._activity, self._clauses, rows=rows)
        return rows

    def complete(self, values: Mapping[str, Any]) -> Config:
        """Return a config: missing parameters take their defaults, values of inactive ones are left out.

        Raises
        ------
        SpaceError
            If a name is unknown, a value is out of range, or the combination is forbidden.

        Examples
        --------
        >>> Space.of({"n": (1, 64), "kind": ["a", "b"]}).complete({"n": 8})
        Config({'kind': 'a', 'n': 8})
        """
        config = self.decode(self.activate(encode_one(self.columns, values)[None, :])[0])
        self.encode(config)
        return config

    def decode(self, row: ArrayLike) -> Config:
        """Return the config of a row, shape (d,): the values of the active parameters.

        Integers are int, numbers are float, choices and constants are the objects of the space.
        """
        return decode_one(self.columns, self.as_rows(np.asarray(row, dtype=np.float64)[np.newaxis])[0])

    def __len__(self) -> int:
        return self.n_columns

    def __repr__(self) -> str:
        return f"Space({self.columns.summary})"

    def _without_forbidden(self, rows: Floats) -> Floats:
        if not self._clauses:
            return rows
        forbidden = is_forbidden(self._clauses, rows)
        return rows[~forbidden] if forbidden.any() else rows
