"""Initial designs: points that fill the unit cube evenly, mapped to legal rows."""

import numpy as np
from scipy.stats import qmc

from tightrope.space.sampling import collect_legal
from tightrope.space.scale import Floats
from tightrope.space.space import Space

_MAX_REPAIRS = 50


def latin_hypercube(space: Space, n: int, rng: np.random.Generator) -> Floats:
    """Draw a Latin hypercube: each parameter's scale is cut into n parts, and each part is used once.

    Forbidden points exchange coordinates among themselves, which preserves the parts. Points that are still
    forbidden, or have no partner, are replaced by random configs. In small spaces rows may recur.

    Parameters
    ----------
    space : Space
        The configuration space.
    n : int
        Number of configs.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    array of shape (n, d)
        Legal rows.

    Examples
    --------
    >>> space = Space.of({"x": (0.0, 1.0), "kind": ["a", "b"]})
    >>> rows = latin_hypercube(space, 4, np.random.default_rng(0))
    >>> np.sort(np.floor(4 * rows[:, space.names.index("x")]))
    array([0., 1., 2., 3.])
    """
    parts = rng.permuted(np.tile(np.arange(n, dtype=np.float64)[:, None], space.n_columns), axis=0)
    cube = (parts + rng.random(parts.shape)) / n
    rows = space.from_unit(cube)
    forbidden = np.flatnonzero(space.is_forbidden(rows))
    for _ in range(_MAX_REPAIRS):
        if forbidden.size < 2:
            break
        cube[forbidden] = rng.permuted(cube[forbidden], axis=0)
        rows[forbidden] = space.from_unit(cube[forbidden])
        forbidden = forbidden[space.is_forbidden(rows[forbidden])]
    rows[forbidden] = space.sample(forbidden.size, rng)
    return rows


def sobol(space: Space, n: int, rng: np.random.Generator) -> Floats:
    """Return the first n legal points of a scrambled Sobol sequence, shape (n, d).

    Parameters and result are those of `latin_hypercube`; `rng` scrambles the sequence.

    Examples
    --------
    >>> rows = sobol(Space.of({"x": (0.0, 1.0)}), 8, np.random.default_rng(0))
    >>> np.sort(np.floor(8 * rows[:, 0]))
    array([0., 1., 2., 3., 4., 5., 6., 7.])
    """
    sequence = qmc.Sobol(space.n_columns, seed=rng)

    def draw(count: int) -> Floats:
        # SciPy expects a power of two in the first call, and only there.
        size = 1 << max(count - 1, 0).bit_length() if sequence.num_generated == 0 else count
        rows = space.from_unit(sequence.random(size))
        return rows[~space.is_forbidden(rows)]

    return collect_legal(draw, n)[:n]


def every_row(space: Space) -> Floats:
    """Return all legal rows of a space without floats; rows may recur."""
    scale = space.columns.scale
    values = [np.arange(low, high + 1.0) for low, high in zip(scale.lower, scale.upper, strict=True)]
    grid = np.stack([axis.ravel() for axis in np.meshgrid(*values, indexing="ij")], axis=1)
    rows = space.activate(grid)
    return rows[space.is_legal(rows)]
