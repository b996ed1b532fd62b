"""A stand-in for a solver on all configs: the recorded runs where there are some, a model elsewhere.

The model is not a forest: low-rank factors of the recorded log costs, continued to all configs by draws from
Gaussian processes, and a residual that looks random but always is the same for the same config and instance.
Its size is that of the recorded residuals of the instance.
"""

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from arena.factors import factorise
from arena.recorded import Floats, Recorded
from arena.smoother import Smoother, fit_smoother
from arena.wave import Waves
from tightrope.records import Config
from tightrope.space import Space

CACHE = Path.home() / ".cache" / "tightrope"
_VERSION = 3  # of what is fitted, and how
_DECIMALS = 6  # of log10 costs: what lies beyond differs from machine to machine
_N_REMEMBERED = 50_000  # configs whose costs are kept
_PARTS = {"smoother", "prior"}  # fields which themselves have fields


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """What was fitted: predicts the log costs of any config."""

    smoother: Smoother
    loadings: Floats  # (k, n_instances)
    centre: Floats  # (n_instances,)
    residuals: Floats  # (n_quantiles, n_instances), ascending: sizes of recorded residuals

    def log_costs(self, x: Floats, *, key: bytes) -> Floats:
        """Return log10 costs on all instances; the key settles the residuals."""
        smooth = self.centre + self.smoother.predict(x) @ self.loadings
        digest = hashlib.blake2b(key, digest_size=8).digest()
        rng = np.random.default_rng(int.from_bytes(digest))
        which = rng.integers(len(self.residuals), size=len(smooth))
        size = self.residuals[which, np.arange(len(smooth))]
        exact = smooth + np.where(rng.random(len(smooth)) < 0.5, -size, size)
        return np.asarray(np.round(exact, _DECIMALS))


class Surrogate:
    """Costs of any config of the space on all recorded instances."""

    def __init__(self, recorded: Recorded, model: Model) -> None:
        self._recorded, self.model = recorded, model
        self._known = recorded.known()
        self._remember = lru_cache(maxsize=_N_REMEMBERED)(self._work_out)

    def costs(self, config: Mapping[str, Any]) -> Floats:
        """Return what the config costs on each instance; inf where it is known to time out."""
        return self._remember(config if isinstance(config, Config) else Config(config))

    def _work_out(self, config: Config) -> Floats:
        if config in self._known:
            return self._known[config]
        return work_out(config, self.model, self._recorded)


def work_out(config: Config, model: Model, recorded: Recorded) -> Floats:
    """Return what a config costs by the model, whether it was recorded or not."""
    row = recorded.space.encode(config)
    x = for_smoother(recorded.space, row[np.newaxis], offsets=recorded.offsets)[0]
    return np.maximum(10.0 ** model.log_costs(x, key=row.tobytes()), recorded.smallest_cost)


def make_surrogate(recorded: Recorded, *, folder: Path = CACHE) -> Surrogate:
    """Fit the model, or read it if a file in the folder has it."""
    names = " ".join([*recorded.space.names, *recorded.instances]).encode()
    digest = hashlib.blake2b(recorded.costs.tobytes() + names, digest_size=4).hexdigest()
    path = folder / f"{recorded.name}-surrogate-{_VERSION}-{digest}.npz"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        _write(path, fit_model(recorded))
    return Surrogate(recorded, _read(path))


def fit_model(recorded: Recorded, *, quantiles: int = 200) -> Model:
    """Fit factors to all recorded runs, and processes to the factors."""
    costs = np.vstack([recorded.costs, recorded.default_costs])
    censored = np.isinf(costs)
    Y = np.log10(np.where(censored, recorded.ceiling, costs))
    factors = factorise(Y, censored)
    rows = recorded.space.encode([*recorded.configs, recorded.default])
    X = for_smoother(recorded.space, rows, offsets=recorded.offsets)
    n_values = recorded.space.n_values[recorded.space.categorical].astype(np.intp)
    sizes = np.where(censored, np.nan, np.abs(Y - factors.fitted()))
    return Model(
        fit_smoother(X, factors.scores, n_values=n_values),
        factors.loadings,
        factors.centre,
        np.nanquantile(sizes, (np.arange(quantiles) + 0.5) / quantiles, axis=0),
    )


def for_smoother(space: Space, rows: Floats, *, offsets: Mapping[str, float]) -> Floats:
    """Return configs as numbers in [0, 1], then indices of choices; what is inactive has its default."""
    full = np.where(np.isnan(rows), space.columns.defaults, rows)
    numbers = []
    for j in np.flatnonzero(~space.categorical):
        low, high = space.columns.scale.lower[j], space.columns.scale.upper[j]
        offset = offsets.get(space.names[j])
        ends = _straighten(np.array([low, high]), offset)
        numbers.append((_straighten(full[:, j], offset) - ends[0]) / (ends[1] - ends[0]))
    return np.hstack([np.stack(numbers, axis=1), full[:, space.categorical]])


def _straighten(values: Floats, offset: float | None) -> Floats:
    return values if offset is None else np.log(values + offset)


def _write(path: Path, model: Model) -> None:
    """Write a whole file or none, whoever else does the same."""
    unfinished = path.with_suffix(f".{os.getpid()}.npz")
    np.savez(unfinished, **_arrays(model), **_arrays(model.smoother), **_arrays(model.smoother.prior))
    unfinished.replace(path)


def _arrays(part: Model | Smoother | Waves) -> dict[str, Any]:
    found = {name: getattr(part, name) for name in part.__slots__}
    return {f"{type(part).__name__}.{name}": value for name, value in found.items() if name not in _PARTS}


def _read(path: Path) -> Model:
    with np.load(path) as file:
        arrays = dict(file)

    def fields(part: type) -> dict[str, Any]:
        return {name: arrays[f"{part.__name__}.{name}"] for name in part.__slots__ if name not in _PARTS}

    smoother = fields(Smoother) | {"prior": Waves(**fields(Waves))}
    smoother["n_numbers"] = int(smoother["n_numbers"])
    return Model(smoother=Smoother(**smoother), **fields(Model))
