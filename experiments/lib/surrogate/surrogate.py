"""The surrogate of a solver on all configs: recorded costs where they exist, a model elsewhere.

The model is not a forest. It consists of a low-rank factorisation of the recorded log costs, which draws from
Gaussian processes extend to all configs, and a pseudo-random residual that is always the same for the same
config and instance. The size of a residual is drawn from the recorded residuals of the instance.
"""

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from lib.cost_table import CostTable, Floats
from lib.surrogate.low_rank import fit_low_rank
from lib.surrogate.random_function import RandomFunction
from lib.surrogate.smoother import Smoother, fit_smoother
from tightrope.records import Config
from tightrope.space import Space

CACHE = Path.home() / ".cache" / "tightrope"
_VERSION = 3  # of the model and its file: raise it when either changes
_DECIMALS = 6  # of log10 costs: further digits differ from machine to machine
_CACHE_SIZE = 50_000  # configs
_PARTS = {"smoother", "prior"}  # fields that have fields themselves


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """The fitted model, which predicts the log costs of any config."""

    smoother: Smoother
    loadings: Floats  # (k, n_instances)
    centre: Floats  # (n_instances,)
    residuals: Floats  # (n_quantiles, n_instances), ascending: sizes of recorded residuals

    def log_costs(self, x: Floats, *, key: bytes) -> Floats:
        """Return log10 costs on all instances; the key is the seed of the residuals."""
        smooth = self.centre + self.smoother.predict(x) @ self.loadings
        digest = hashlib.blake2b(key, digest_size=8).digest()
        rng = np.random.default_rng(int.from_bytes(digest))
        which = rng.integers(len(self.residuals), size=len(smooth))
        size = self.residuals[which, np.arange(len(smooth))]
        exact = smooth + np.where(rng.random(len(smooth)) < 0.5, -size, size)
        return np.asarray(np.round(exact, _DECIMALS))


_PREFIXES = {Model: "Model", Smoother: "Smoother", RandomFunction: "Waves"}  # names in the model's file


class Surrogate:
    """Costs of any config of the space on all recorded instances."""

    def __init__(self, recorded: CostTable, model: Model) -> None:
        self._recorded, self.model = recorded, model
        self._known = recorded.known()
        self._cached_costs = lru_cache(maxsize=_CACHE_SIZE)(self._compute_costs)

    def costs(self, config: Mapping[str, Any]) -> Floats:
        """Return the config's cost on each instance; inf where it was recorded as a timeout."""
        return self._cached_costs(config if isinstance(config, Config) else Config(config))

    def _compute_costs(self, config: Config) -> Floats:
        if config in self._known:
            return self._known[config]
        return model_costs(config, self.model, self._recorded)


def model_costs(config: Config, model: Model, recorded: CostTable) -> Floats:
    """Return a config's costs by the model, whether it was recorded or not."""
    row = recorded.space.encode(config)
    x = smoother_inputs(recorded.space, row[np.newaxis], offsets=recorded.offsets)[0]
    return np.maximum(10.0 ** model.log_costs(x, key=row.tobytes()), recorded.smallest_cost)


def make_surrogate(recorded: CostTable, *, folder: Path = CACHE) -> Surrogate:
    """Fit the model, or read it from the folder if it was fitted before."""
    names = " ".join([*recorded.space.names, *recorded.instances]).encode()
    digest = hashlib.blake2b(recorded.costs.tobytes() + names, digest_size=4).hexdigest()
    path = folder / f"{recorded.name}-surrogate-{_VERSION}-{digest}.npz"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        _write(path, fit_model(recorded))
    return Surrogate(recorded, _read(path))


def fit_model(recorded: CostTable, *, quantiles: int = 200) -> Model:
    """Fit the factorisation to all recorded runs, and processes to its scores."""
    costs = np.vstack([recorded.costs, recorded.default_costs])
    censored = np.isinf(costs)
    Y = np.log10(np.where(censored, recorded.ceiling, costs))
    low_rank = fit_low_rank(Y, censored)
    rows = recorded.space.encode([*recorded.configs, recorded.default])
    X = smoother_inputs(recorded.space, rows, offsets=recorded.offsets)
    n_values = recorded.space.n_values[recorded.space.categorical].astype(np.intp)
    sizes = np.where(censored, np.nan, np.abs(Y - low_rank.fitted()))
    return Model(
        fit_smoother(X, low_rank.scores, n_values=n_values),
        low_rank.loadings,
        low_rank.centre,
        np.nanquantile(sizes, (np.arange(quantiles) + 0.5) / quantiles, axis=0),
    )


def smoother_inputs(space: Space, rows: Floats, *, offsets: Mapping[str, float]) -> Floats:
    """Return configs as numbers in [0, 1], then indices of choices; inactive parameters have defaults."""
    full = np.where(np.isnan(rows), space.columns.defaults, rows)
    numbers = []
    for j in np.flatnonzero(~space.categorical):
        low, high = space.columns.scale.lower[j], space.columns.scale.upper[j]
        offset = offsets.get(space.names[j])
        ends = _log_scale(np.array([low, high]), offset)
        numbers.append((_log_scale(full[:, j], offset) - ends[0]) / (ends[1] - ends[0]))
    return np.hstack([np.stack(numbers, axis=1), full[:, space.categorical]])


def _log_scale(values: Floats, offset: float | None) -> Floats:
    return values if offset is None else np.log(values + offset)


def _write(path: Path, model: Model) -> None:
    """Write the file atomically: other processes may write the same file."""
    unfinished = path.with_suffix(f".{os.getpid()}.npz")
    np.savez(unfinished, **_arrays(model), **_arrays(model.smoother), **_arrays(model.smoother.prior))
    unfinished.replace(path)


def _arrays(part: Model | Smoother | RandomFunction) -> dict[str, Any]:
    found = {name: getattr(part, name) for name in part.__slots__}
    return {f"{_PREFIXES[type(part)]}.{name}": value for name, value in found.items() if name not in _PARTS}


def _read(path: Path) -> Model:
    with np.load(path) as file:
        arrays = dict(file)

    def fields(part: type) -> dict[str, Any]:
        return {name: arrays[f"{_PREFIXES[part]}.{name}"] for name in part.__slots__ if name not in _PARTS}

    smoother = fields(Smoother) | {"prior": RandomFunction(**fields(RandomFunction))}
    smoother["n_numbers"] = int(smoother["n_numbers"])
    return Model(smoother=Smoother(**smoother), **fields(Model))
