"""Random rows: each parameter from its own distribution, as in ConfigSpace."""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

import numpy as np
from ConfigSpace import ConfigurationSpace

from tightrope.errors import SpaceError
from tightrope.space.parameter_type import Prior
from tightrope.space.scale import Floats, Scale
from tightrope.space.types import type_of

_LARGEST_BATCH = 50_000
_FEWEST_DRAWS = 200_000  # before giving up
_SMALLEST_SHARE = 1e-4  # of legal rows among those drawn; below it, give up


@dataclass(frozen=True, slots=True, eq=False)
class Sampler:
    """Draws values for all columns, whether active or not."""

    scale: Scale
    priors: tuple[tuple[int, Prior], ...]

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw n rows."""
        rows = self.scale.from_unit(rng.random((n, len(self.scale.lower))))
        for column, prior in self.priors:
            rows[:, column] = prior.draw(n, rng)
        return rows


def compile_sampler(configspace: ConfigurationSpace, scale: Scale) -> Sampler:
    """Find the parameters that are not drawn uniformly."""
    priors = (type_of(parameter).prior(parameter) for parameter in configspace.values())
    return Sampler(scale, tuple((j, prior) for j, prior in enumerate(priors) if prior is not None))


def collect_legal(draw: Callable[[int], Floats], n: int) -> Floats:
    """Collect the first n legal rows; `draw(k)` draws k rows and returns the legal ones."""
    parts = [draw(n)]
    found, drawn = len(parts[0]), n
    while found < n:
        if drawn >= _FEWEST_DRAWS and found < _SMALLEST_SHARE * drawn:
            raise SpaceError(
                f"nearly all configs are forbidden: {found} of {drawn} random ones are legal",
                hint="write forbidden combinations as conditions, or leave out values that are never allowed",
            )
        share = (found + 1) / (drawn + 1)
        batch = min(ceil(1.1 * (n - found) / share) + 10, _LARGEST_BATCH)
        parts.append(draw(batch))
        found, drawn = found + len(parts[-1]), drawn + batch
    return parts[0] if len(parts) == 1 else np.concatenate(parts)[:n]
