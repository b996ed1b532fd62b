"""HiGHS on lot sizing; instances and model come from the folder examples/highs."""

import importlib.util
import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from types import ModuleType
from typing import Any

from lib.recording.library import Library, Problem

_EXAMPLE = Path(__file__).parents[3] / "examples" / "highs"
_FIRST_NODES = 200
_MOST_ATTEMPTS = 8


def _load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"highs_{name}", _EXAMPLE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def draw_plant(seed: int, *, n_periods: int) -> str:
    """Draw a plant that can meet every demand."""
    return json.dumps(asdict(_load("generate").draw_plant(seed, n_periods=n_periods)))


def optimal_plan(text: str) -> str:
    """Return the optimal value, by dynamic programming."""
    generate = _load("generate")
    return str(generate.least_cost(generate.Plant(**json.loads(text))))


def highs() -> Library:
    """Return HiGHS: its cost is simplex iterations; only a node limit stops it, which is raised in steps."""
    try:
        import highspy
    except ImportError:
        raise SystemExit("HiGHS is not installed: pip install highspy") from None
    example = _load("solve")

    def run(problem: Problem, config: Mapping[str, Any], ceiling: float) -> tuple[str | None, float]:
        options = [f"--{name}={value}" for name, value in config.items()]
        for n_nodes in (_FIRST_NODES * 4**i for i in range(_MOST_ATTEMPTS)):
            solver = example.build(problem)
            example.set_options(solver, [*options, f"--mip_max_nodes={n_nodes}"])
            solver.solve()
            status, cost = solver.getModelStatus(), float(solver.getInfo().simplex_iteration_count)
            if status == highspy.HighsModelStatus.kOptimal:
                return str(round(solver.getObjectiveValue())), cost
            if status != highspy.HighsModelStatus.kSolutionLimit:
                return solver.modelStatusToString(status), cost
            if cost >= ceiling:
                break
        return None, cost

    return Library(run)
