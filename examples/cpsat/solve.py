"""Solve one instance with CP-SAT: python solve.py [--option=value ...] cap instance.json.

Prints a line of JSON with the cost: the deterministic time, which is the same on any machine.
"""

import json
import sys
from pathlib import Path

from ortools.sat.python import cp_model


def build(shop: dict[str, list[int]]) -> cp_model.CpModel:
    """Build the model: one job after the other, with minimal weighted delay."""
    model = cp_model.CpModel()
    horizon = sum(shop["duration"])
    intervals, delays = [], []
    for duration, due in zip(shop["duration"], shop["due"], strict=True):
        start = model.new_int_var(0, horizon - duration, "start")
        intervals.append(model.new_fixed_size_interval_var(start, duration, "job"))
        delays.append(model.new_int_var(0, horizon, "delay"))
        model.add(delays[-1] >= start + duration - due)
    model.add_no_overlap(intervals)
    model.minimize(sum(weight * delay for weight, delay in zip(shop["weight"], delays, strict=True)))
    return model


def set_options(solver: cp_model.CpSolver, arguments: list[str]) -> None:
    """Set the given options: true, false or integers."""
    for argument in arguments:
        name, _, text = argument.removeprefix("--").partition("=")
        setattr(solver.parameters, name, json.loads(text))


def main() -> None:
    *options, cap, instance = sys.argv[1:]
    shop = json.loads(Path(instance).read_text(encoding="utf-8"))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_deterministic_time = float(cap)
    set_options(solver, options)
    status = solver.solve(build(shop))
    cost = solver.response_proto.deterministic_time
    if status == cp_model.OPTIMAL and round(solver.objective_value) != shop["optimum"]:
        sys.exit(f"wrong answer: {solver.objective_value}, but the optimum is {shop['optimum']}")
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE, cp_model.UNKNOWN):
        sys.exit(f"CP-SAT ended with {solver.status_name(status)}")
    # A run that was stopped at the cap costs at least the cap.
    print(json.dumps({"cost": cost if status == cp_model.OPTIMAL else max(cost, float(cap))}))


if __name__ == "__main__":
    main()
