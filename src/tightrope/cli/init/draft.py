"""The scenario that `tightrope init` writes: TOML with a comment on each line."""

import json
import shlex
from dataclasses import dataclass

from tightrope.cli.init.detect import Detected, Instances
from tightrope.scenario.solvers.solver import Solver, read_solver
from tightrope.scenario.toml.write_parameters import write_inline

_UNKNOWN = Solver("--seed {seed} {parameters} {instance}", '"exit"')
_EXAMPLE = '{ train = "train/*.cnf", test = "test/*.cnf" }'
_INLINE = """
[params]                     # the parameters to tune, with their ranges
# alpha   = { type = "real", range = [0.1, 10.0], default = 1.0, log = true }
# restart = { type = "categorical", values = ["luby", "glucose"], default = "luby" }
# base    = { type = "integer", range = [1, 1000], default = 100, when = "restart == 'luby'" }"""

_BRACES = str.maketrans({"{": "{{", "}": "}}"})  # a literal brace is doubled in a command


@dataclass(frozen=True, slots=True)
class Draft:
    """The text of a scenario, and the keys the user must still edit, with their line numbers."""

    text: str
    to_edit: tuple[tuple[str, int], ...]


def draft(found: Detected) -> Draft:
    """Write a scenario; what was not detected is filled in with an example."""
    program = found.program
    solver = read_solver(program.solver) if program and program.solver else _UNKNOWN
    words = shlex.quote(program.words).translate(_BRACES) if program else "./solver"
    rows = [
        ("command", json.dumps(f"{words} {solver.arguments}"), "add {cap} if the program takes a time limit"),
        ("answer", solver.answer, _about_answer(solver)),
        *([("style", json.dumps(solver.style), "format of one parameter")] if solver.style else []),
        *([("flags", json.dumps(solver.flags), "format of true / false parameters")] if solver.flags else []),
        *([("params", json.dumps(found.parameters), "the parameters to tune")] if found.parameters else []),
        *_instances(found.instances),
        *(
            [("features", json.dumps(found.features), "properties of the instances")]
            if found.features
            else []
        ),
        ("ceiling", '"60s"', "longest time of one run"),
        ("budget", '"1h"', "total time of the tuning"),
    ]
    width = max(len(f"{key:<9} = {value}") for key, value, _ in rows if len(value) < 40)
    lines = ["# A scenario for `tightrope tune`. Run `tightrope check` to find mistakes in it."]
    lines += [f"{f'{key:<9} = {value}':<{width}}  # {about}" for key, value, about in rows]
    if found.space is not None:
        forbidden, params = write_inline(found.space)
        lines += f"{forbidden}\n{params}".rstrip("\n").split("\n")
    elif not found.parameters:
        lines += _INLINE.split("\n")
    return Draft("\n".join(lines) + "\n", tuple(_to_edit(found, lines)))


def _about_answer(solver: Solver) -> str:
    return (
        'exit code 0 means solved; others: "sat", "json", "irace", "aclib"'
        if solver is _UNKNOWN
        else "how it reports success"
    )


def _instances(found: Instances | None) -> list[tuple[str, str, str]]:
    if found is None:
        return [("instances", _EXAMPLE, "problems to solve; test: not used by the tuning")]
    if found.test:
        value = f"{{ train = {json.dumps(found.train)}, test = {json.dumps(found.test)} }}"
        return [("instances", value, "test: not used by the tuning")]
    return [
        ("instances", json.dumps(found.train), "problems to solve"),
        ("split", "0.5", "share kept for the test"),
    ]


def _to_edit(found: Detected, lines: list[str]) -> list[tuple[str, int]]:
    is_known = found.program is not None and found.program.solver is not None
    keys = [] if is_known else ["command"]
    keys += [] if found.instances else ["instances"]
    keys += [] if found.parameters or found.space is not None else ["[params]"]
    return [(key, 1 + next(i for i, line in enumerate(lines) if line.startswith(key))) for key in keys]
