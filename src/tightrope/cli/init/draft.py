"""The scenario that `tightrope init` writes: lines of TOML that explain themselves."""

import json
import shlex
from dataclasses import dataclass

from tightrope.cli.init.detect import Instances, Surroundings
from tightrope.cli.init.solvers import SOLVERS, Solver

_UNKNOWN = Solver("--seed {seed} {parameters} {instance}", '"exit"')
_EXAMPLE = '{ train = "train/*.cnf", test = "test/*.cnf" }'
_INLINE = """
[params]                     # what may be changed, and between which limits
# alpha   = { type = "real", range = [0.1, 10.0], default = 1.0, log = true }
# restart = { type = "categorical", values = ["luby", "glucose"], default = "luby" }
# base    = { type = "integer", range = [1, 1000], default = 100, when = "restart == 'luby'" }"""

_BRACES = str.maketrans({"{": "{{", "}": "}}"})  # as they are written in a command if they mean braces


@dataclass(frozen=True, slots=True)
class Draft:
    """A scenario's text, and the keys that somebody must still see to, with their lines."""

    text: str
    to_edit: tuple[tuple[str, int], ...]


def draft(found: Surroundings) -> Draft:
    """Write a scenario; what could not be found is there as an example."""
    program = found.program
    solver = SOLVERS[program.solver] if program and program.solver else _UNKNOWN
    words = shlex.quote(program.words).translate(_BRACES) if program else "./solver"
    rows = [
        ("command", json.dumps(f"{words} {solver.arguments}"), "{cap} too, if it wants to know its limit"),
        ("answer", solver.answer, _about_answer(solver)),
        *([("style", json.dumps(solver.style), "how parameters are written")] if solver.style else []),
        *([("flags", json.dumps(solver.flags), "those that are true / false")] if solver.flags else []),
        *([("params", json.dumps(found.parameters), "what may be changed")] if found.parameters else []),
        *_instances(found.instances),
        *(
            [("features", json.dumps(found.features), "properties of the instances")]
            if found.features
            else []
        ),
        ("ceiling", '"60s"', "no run goes on for longer than this"),
        ("budget", '"1h"', "time for the whole tuning"),
    ]
    width = max(len(f"{key:<9} = {value}") for key, value, _ in rows if len(value) < 40)
    lines = ["# What is to be tuned. `tightrope check` says what is still wrong here."]
    lines += [f"{f'{key:<9} = {value}':<{width}}  # {about}" for key, value, about in rows]
    if not found.parameters:
        lines += _INLINE.split("\n")
    return Draft("\n".join(lines) + "\n", tuple(_to_edit(found, lines)))


def _about_answer(solver: Solver) -> str:
    return (
        'exit code 0 means solved; others: "sat", "json", "irace", "aclib"'
        if solver is _UNKNOWN
        else "how it tells"
    )


def _instances(found: Instances | None) -> list[tuple[str, str, str]]:
    if found is None:
        return [("instances", _EXAMPLE, "problems to be solved; test: never seen by the tuning")]
    if found.test:
        value = f"{{ train = {json.dumps(found.train)}, test = {json.dumps(found.test)} }}"
        return [("instances", value, "test: never seen by the tuning")]
    return [
        ("instances", json.dumps(found.train), "problems to be solved"),
        ("split", "0.5", "this share is kept for the test"),
    ]


def _to_edit(found: Surroundings, lines: list[str]) -> list[tuple[str, int]]:
    is_known = found.program is not None and found.program.solver is not None
    keys = [] if is_known else ["command"]
    keys += [] if found.instances else ["instances"]
    keys += [] if found.parameters else ["[params]"]
    return [(key, 1 + next(i for i, line in enumerate(lines) if line.startswith(key))) for key in keys]
