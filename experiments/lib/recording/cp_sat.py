"""CP-SAT on knapsacks, lot sizing and tours."""

from collections.abc import Callable, Mapping
from typing import Any

from lib.recording.library import Library, Problem

Build = Callable[[Any, Problem], None]  # adds the problem to a CpModel


def cp_sat_on_knapsacks() -> Library:
    """Return CP-SAT, which chooses the items to pack."""
    return _cp_sat(_pack)


def cp_sat_on_lot_sizing() -> Library:
    """Return CP-SAT, which plans the production of each period."""
    return _cp_sat(_plan)


def cp_sat_on_tours() -> Library:
    """Return CP-SAT, which orders the cities of a tour."""
    return _cp_sat(_travel)


def _pack(model: Any, problem: Problem) -> None:
    packed = [model.new_bool_var("") for _ in problem["value"]]
    for weights, most in zip(problem["weight"], problem["capacity"], strict=True):
        model.add(sum(weight * each for weight, each in zip(weights, packed, strict=True)) <= most)
    model.maximize(sum(value * each for value, each in zip(problem["value"], packed, strict=True)))


def _plan(model: Any, problem: Problem) -> None:
    most = sum(problem["demand"])
    columns = ("demand", "capacity", "setup", "making", "keeping")
    stock: Any = 0
    cost: Any = 0
    for demand, capacity, setup, making, keeping in zip(*(problem[name] for name in columns), strict=True):
        is_set_up = model.new_bool_var("")
        made, kept = model.new_int_var(0, capacity, ""), model.new_int_var(0, most, "")
        model.add(made <= capacity * is_set_up)
        model.add(stock + made - kept == demand)
        cost += setup * is_set_up + making * made + keeping * kept
        stock = kept
    model.minimize(cost)


def _travel(model: Any, problem: Problem) -> None:
    taken = {
        (i, j): model.new_bool_var("")
        for i, ways in enumerate(problem["way"])
        for j in range(len(ways))
        if i != j
    }
    model.add_circuit([(i, j, each) for (i, j), each in taken.items()])
    model.minimize(sum(problem["way"][i][j] * each for (i, j), each in taken.items()))


def _cp_sat(build: Build) -> Library:
    """Return CP-SAT on one thread; it stops by itself when its deterministic time is over."""
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        raise SystemExit("CP-SAT is not installed: pip install ortools") from None

    def run(problem: Problem, config: Mapping[str, Any], ceiling: float) -> tuple[str | None, float]:
        model = cp_model.CpModel()
        build(model, problem)
        solver = cp_model.CpSolver()
        if not solver.parameters.parse_text_format(" ".join(f"{name}: {v}" for name, v in config.items())):
            raise ValueError(f"CP-SAT does not accept {config}")
        solver.parameters.num_workers = 1
        solver.parameters.max_deterministic_time = ceiling
        status = solver.solve(model)
        cost = solver.response_proto.deterministic_time
        if status == cp_model.OPTIMAL:
            return str(round(solver.objective_value)), cost
        is_stopped = status in (cp_model.FEASIBLE, cp_model.UNKNOWN)
        return None if is_stopped else solver.status_name(status), cost

    return Library(run)
