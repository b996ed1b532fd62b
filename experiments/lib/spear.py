"""SPEAR on software verification: recorded runs of 1000 random configs and the default on 604 instances.

Costs are CPU seconds. Each instance has 138 features.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas
from numpy.typing import NDArray

from lib.arena.arena import Arena, recorded_arena, surrogate_arena
from lib.cost_table import CostTable, Floats
from lib.data import VARIABLE, data_folder
from lib.surrogate.surrogate import CACHE, make_surrogate
from tightrope.records import Config
from tightrope.scenario.pcs.read import read_pcs
from tightrope.space import Space

CEILING_S = 300.0
SMALLEST_COST_S = 0.005  # half the resolution of the timers: shorter runs were recorded as 0 or close to it
_SPLIT_SEED = 2013
_SMALLEST_FREQUENCY = 1e-4
_OFFSETS = {
    "sp-first-restart": 0.0,  # recorded at values that form a geometric sequence
    "sp-learned-size-factor": 0.0,
    "sp-max-res-lit-inc": 0.0,
    "sp-max-res-runs": 0.0,
    "sp-res-cutoff-cls": 0.0,
    "sp-res-cutoff-lits": 0.0,
    "sp-rand-phase-dec-freq": _SMALLEST_FREQUENCY,  # also recorded at 0
    "sp-rand-var-dec-freq": _SMALLEST_FREQUENCY,
}

Kind = Literal["recorded", "surrogate"]


def spear_arena(kind: Kind, *, folder: Path = CACHE) -> Arena:
    """Return the arena of the recorded configs, or of the whole space (the folder keeps its surrogate)."""
    recorded = read_spear(find_folder())
    if kind == "recorded":
        return recorded_arena(recorded)
    return surrogate_arena(recorded, make_surrogate(recorded, folder=folder))


def find_folder() -> Path:
    """Return the folder of the recorded runs, which the environment must name."""
    data = data_folder()
    if data is None:
        raise SystemExit(f"set the environment variable {VARIABLE} to the folder that contains spear-swv/")
    folder = data / "spear-swv"
    if not (folder / "runtimes.csv.gz").exists():
        raise SystemExit(
            f"{folder} has no runtimes.csv.gz: set {VARIABLE} to the folder that contains spear-swv/"
        )
    return folder


@cache
def read_spear(folder: Path) -> CostTable:
    """Read all files of the folder; the split of the instances into two halves is always the same."""
    space = Space(read_pcs(folder / "spear.pcs"))
    runtimes = pandas.read_csv(folder / "runtimes.csv.gz", index_col=0)
    default = pandas.read_csv(folder / "default.csv", index_col=0).loc[runtimes.index]
    features = pandas.read_csv(folder / "features.csv.gz", index_col=0).loc[runtimes.index]
    texts = pandas.read_csv(folder / "configs.csv", index_col=0, dtype=str).loc[runtimes.columns]
    shuffled = np.random.default_rng(_SPLIT_SEED).permutation(len(runtimes))
    return CostTable(
        name="spear",
        unit="s",
        ceiling=CEILING_S,
        smallest_cost=SMALLEST_COST_S,
        space=space,
        offsets=_OFFSETS,
        instances=tuple(runtimes.index),
        configs=tuple(_read_config(space, row) for row in texts.to_dict("records")),
        default=space.decode(space.default()),
        costs=_clean(runtimes.to_numpy().T),
        default_costs=_clean(default["default_runtime"].to_numpy()),
        features=features.to_numpy(dtype=np.float64),
        is_test=shuffled < len(runtimes) // 2,
    )


def _read_config(space: Space, texts: Mapping[str, str]) -> Config:
    """Return a legal config: values of inactive parameters were recorded too and are dropped."""
    codes = [
        column.code(texts[name] if is_choice else float(texts[name]))
        for name, column, is_choice in zip(space.names, space.columns.each, space.categorical, strict=True)
    ]
    return space.decode(space.activate([codes])[0])


def _clean(runtimes: NDArray[Any]) -> Floats:
    seconds = np.maximum(runtimes.astype(np.float64), SMALLEST_COST_S)
    return np.where(seconds >= CEILING_S, np.inf, seconds)
