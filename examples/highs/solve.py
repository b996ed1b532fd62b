"""Solve one instance with HiGHS: python solve.py [--option=value ...] instance.json.

Prints a line of JSON with the optimal value found by HiGHS.
"""

import json
import sys
from pathlib import Path

import highspy


def build(plant: dict[str, list[int]]) -> highspy.Highs:
    """Build the model: when to make how much, so that the demand of each period is met."""
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    solver.setOptionValue("mip_rel_gap", 0.0)
    columns = ("demand", "capacity", "setup", "making", "keeping")
    stock = 0
    for demand, capacity, setup, making, keeping in zip(*(plant[name] for name in columns), strict=True):
        is_set_up = solver.addBinary(obj=setup)
        made = solver.addVariable(lb=0, ub=capacity, obj=making)
        kept = solver.addVariable(lb=0, obj=keeping)
        solver.addConstr(made <= capacity * is_set_up)
        solver.addConstr(stock + made - kept == demand)
        stock = kept
    return solver


def set_options(solver: highspy.Highs, arguments: list[str]) -> None:
    """Set the given options; exit with an error if HiGHS rejects one."""
    for argument in arguments:
        name, _, text = argument.removeprefix("--").partition("=")
        status, kind = solver.getOptionType(name)
        if status != highspy.HighsStatus.kOk:
            sys.exit(f"HiGHS has no option {name!r}")
        read = {
            highspy.HighsOptionType.kBool: lambda text: text == "true",
            highspy.HighsOptionType.kInt: int,
            highspy.HighsOptionType.kDouble: float,
            highspy.HighsOptionType.kString: str,
        }[kind]
        if solver.setOptionValue(name, read(text)) != highspy.HighsStatus.kOk:
            sys.exit(f"HiGHS rejects {argument!r}")


def main() -> None:
    *options, instance = sys.argv[1:]
    solver = build(json.loads(Path(instance).read_text(encoding="utf-8")))
    set_options(solver, options)
    solver.solve()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        sys.exit(f"HiGHS ended with {solver.modelStatusToString(solver.getModelStatus())}")
    # Costs are integers; HiGHS returns them within a tolerance.
    print(json.dumps({"answer": round(solver.getObjectiveValue())}))


if __name__ == "__main__":
    main()
