"""Functions whose evaluation costs their value, with a wide range and a known optimum.

No optimum is near 1, where the doubling design starts by default.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from ConfigSpace import (
    CategoricalHyperparameter,
    ConfigurationSpace,
    EqualsCondition,
    UniformFloatHyperparameter,
    UniformIntegerHyperparameter,
)
from numpy.typing import NDArray

Config = Mapping[str, Any]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Problem:
    """A function to minimise; an attempt ends `most` configs after the first finished evaluation."""

    name: str
    space: Any
    cost: Callable[[Config], float]
    optimum: float
    most: int
    numeric: bool = True


def bowl(config: Config) -> float:
    """One wide valley."""
    return float(37.0 * (1.0 + 1000.0 * (config["x"] - 0.317) ** 2))


def waves(config: Config) -> float:
    """Several valleys, the deepest at 0.71."""
    gap = config["x"] - 0.71
    return float(12.0 * np.exp(2.5 - 2.5 * np.cos(18.0 * gap) * np.exp(-3.0 * gap**2)))


def cliff(config: Config) -> float:
    """Slow decrease towards a threshold, and a steep increase beyond it."""
    gap = config["x"] - 0.62
    return float(5.0 * (np.exp(-4.0 * gap) if gap < 0.0 else np.exp(30.0 * gap**1.5)))


def branin(config: Config) -> float:
    x, y = 15.0 * config["x"] - 5.0, 15.0 * config["y"]
    ridge = (y - 5.1 / (4.0 * np.pi**2) * x**2 + 5.0 / np.pi * x - 6.0) ** 2
    return float(50.0 * (ridge + 10.0 * (1.0 - 1.0 / (8.0 * np.pi)) * np.cos(x) + 10.0))


_HARTMANN_A = np.array(
    [
        [10, 3, 17, 3.5, 1.7, 8],
        [0.05, 10, 17, 0.1, 8, 14],
        [3, 3.5, 1.7, 10, 17, 8],
        [17, 8, 0.05, 10, 0.1, 14],
    ]
)
_HARTMANN_P = 1e-4 * np.array(
    [
        [1312, 1696, 5569, 124, 8283, 5886],
        [2329, 4135, 8307, 3736, 1004, 9991],
        [2348, 1451, 3522, 2883, 3047, 6650],
        [4047, 8828, 8732, 5743, 1091, 381],
    ]
)
_HARTMANN_C = np.array([1.0, 1.2, 3.0, 3.2])


def hartmann(config: Config) -> float:
    """Exponential of Hartmann's six-dimensional function."""
    x = _vector(config, 6)
    value = -_HARTMANN_C @ np.exp(-(_HARTMANN_A * (x - _HARTMANN_P) ** 2).sum(axis=1))
    return float(20.0 * np.exp(1.5 * (value + 3.322368011391339)))


_WEIGHTS = np.array([6.0, 4.0, 2.5, 1.0, 0.5, 0.2, 0.05, 0.01, 0.003, 0.001])
_CENTRES = np.array([0.31, 0.72, 0.55, 0.2, 0.9, 0.5, 0.4, 0.6, 0.1, 0.8])


def tenfold(config: Config) -> float:
    """Ten numbers, of which a few have large effects and most almost none."""
    gaps = _vector(config, 10) - _CENTRES
    return float(15.0 * np.exp(4.0 * np.sum(_WEIGHTS * np.abs(gaps) ** 3)))


def _vector(config: Config, n: int) -> Floats:
    return np.array([config[f"x{i}"] for i in range(n)])


_RESTART_COST = {"luby": 0.0, "geometric": 0.5, "glucose": 0.9, "none": 2.5}
_PHASE_COST = {"saved": 0.0, "true": 0.8, "random": 1.6}


def solver(config: Config) -> float:
    """Six parameters like a solver's: choices, a log scale, integers, and a conditional one."""
    effort = np.log10(config["effort"] / 300.0)
    log_cost = 0.8 * effort**2 + _RESTART_COST[config["restart"]] + _PHASE_COST[config["phase"]]
    log_cost += 3.0 * max(abs(config["decay"] - 0.85) - 0.02, 0.0)
    if config["restart"] == "luby":
        log_cost += 0.4 * abs(np.log2(config["unit"] / 64.0))
    log_cost += 1.2 * (config["inprocess"] != (config["effort"] > 50))
    return float(8.0 * np.exp(log_cost))


def pipeline(config: Config) -> float:
    """Ten parameters, seven of them choices or integers that interact."""
    log_cost = 0.7 * abs(config["level"] - 3) + 0.35 * abs(config["width"] - 12) / 4.0
    log_cost += 1.1 * (config["sort"] == "bubble") + 0.4 * (config["sort"] == "merge")
    log_cost += 0.9 * (config["cache"] == "off") + 0.3 * (config["cache"] == "small")
    log_cost += 0.8 * (config["join"] != ("hash" if config["cache"] == "large" else "loop"))
    log_cost += 0.5 * (not config["index"]) + 0.25 * config["verbose"]
    log_cost += 4.0 * max(abs(config["load"] - 0.4) - 0.05, 0.0) + 0.2 * config["a"] ** 2
    return float(30.0 * np.exp(log_cost + 0.1 * max(config["b"] - 0.5, 0.0)))


def _solver_space() -> ConfigurationSpace:
    space = ConfigurationSpace()
    restart = CategoricalHyperparameter("restart", list(_RESTART_COST), default_value="geometric")
    unit = UniformIntegerHyperparameter("unit", 1, 1024, log=True, default_value=8)
    space.add(
        restart,
        unit,
        CategoricalHyperparameter("phase", list(_PHASE_COST), default_value="true"),
        CategoricalHyperparameter("inprocess", [False, True], default_value=False),
        UniformFloatHyperparameter("decay", 0.5, 1.0, default_value=0.95),
        UniformIntegerHyperparameter("effort", 1, 10_000, log=True, default_value=10),
    )
    space.add(EqualsCondition(unit, restart, "luby"))
    return space


_PIPELINE_SPACE = {
    "level": (0, 9),
    "width": (1, 32),
    "sort": ["quick", "merge", "bubble"],
    "cache": ["off", "small", "large"],
    "join": ["loop", "hash", "merge"],
    "index": [False, True],
    "verbose": [False, True],
    "load": (0.0, 1.0),
    "a": (0.0, 1.0),
    "b": (0.0, 1.0),
}


def _cube(*names: str) -> dict[str, tuple[float, float]]:
    return dict.fromkeys(names, (0.0, 1.0))


PROBLEMS = {
    problem.name: problem
    for problem in (
        Problem("bowl", _cube("x"), bowl, 37.0, most=60),
        Problem("waves", _cube("x"), waves, 12.0, most=60),
        Problem("cliff", _cube("x"), cliff, 5.0, most=60),
        Problem("branin", _cube("x", "y"), branin, 50.0 * 0.39788735772973816, most=50),
        Problem("hartmann", _cube(*(f"x{i}" for i in range(6))), hartmann, 20.0, most=50),
        Problem("solver", _solver_space(), solver, 8.0, most=50, numeric=False),
        Problem("tenfold", _cube(*(f"x{i}" for i in range(10))), tenfold, 15.0, most=50),
        Problem("pipeline", _PIPELINE_SPACE, pipeline, 30.0, most=50, numeric=False),
    )
}
