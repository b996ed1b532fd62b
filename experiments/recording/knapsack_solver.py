"""CP-SAT on knapsacks."""

from collections.abc import Mapping
from typing import Any

from recording.child import Library, Problem


def cp_sat() -> Library:
    """CP-SAT on one thread; it stops by itself when its deterministic time is over."""
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        raise SystemExit("there is no CP-SAT: pip install ortools") from None

    def run(problem: Problem, config: Mapping[str, Any], ceiling: float) -> tuple[str | None, float]:
        model = cp_model.CpModel()
        packed = [model.new_bool_var("") for _ in problem["value"]]
        for weights, most in zip(problem["weight"], problem["capacity"], strict=True):
            model.add(sum(weight * each for weight, each in zip(weights, packed, strict=True)) <= most)
        model.maximize(sum(value * each for value, each in zip(problem["value"], packed, strict=True)))
        solver = cp_model.CpSolver()
        if not solver.parameters.parse_text_format(" ".join(f"{name}: {v}" for name, v in config.items())):
            raise ValueError(f"CP-SAT does not understand {config}")
        solver.parameters.num_workers = 1
        solver.parameters.max_deterministic_time = ceiling
        status = solver.solve(model)
        cost = solver.response_proto.deterministic_time
        if status == cp_model.OPTIMAL:
            return str(round(solver.objective_value)), cost
        is_stopped = status in (cp_model.FEASIBLE, cp_model.UNKNOWN)
        return None if is_stopped else solver.status_name(status), cost

    return Library(run)
