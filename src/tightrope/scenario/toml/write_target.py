"""Writer of the keys that define the target command."""

import os
import shlex
from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Any

from tightrope.errors import Fault, ScenarioError
from tightrope.run.answer import ExitCode, JsonLine, Pattern, Reader
from tightrope.run.command import CommandTarget
from tightrope.run.convention import IraceLine, ResultLine, SatSolver
from tightrope.scenario.irace.switches import style_of
from tightrope.space import Space
from tightrope.units import write_duration, write_size

Pair = tuple[str, Any]
_DEFAULTS = CommandTarget("command")


def target_pairs(target: CommandTarget, space: Space, *, folder: str) -> Iterator[Pair]:
    """Yield the keys that define how the command runs, except the command itself.

    Parameters
    ----------
    target : CommandTarget
        The target to write.
    space : Space
        Its parameters.
    folder : str
        The absolute path of the folder where the scenario will be stored.
    """
    default_style = style_of(space.configspace) or _DEFAULTS.parameters
    if target.parameters != default_style:
        yield "style", target.parameters
    if target.flags is not None:
        yield "flags", target.flags
    if isfinite(target.memory_mb):
        yield "memory", write_size(target.memory_mb)
    if target.grace_s != _DEFAULTS.grace_s:
        yield "grace", write_duration(target.grace_s)
    if target.keep_kb != _DEFAULTS.keep_kb:
        yield "keep", f"{target.keep_kb}KiB"
    if target.cwd is not None and os.path.abspath(target.cwd) != folder:
        yield "cwd", os.path.relpath(target.cwd, folder)
    if target.shell:
        yield "shell", True


def answer_pairs(target: CommandTarget) -> Iterator[Pair]:
    """Yield the keys that define the cost and how it is read."""
    if target.answer.prints_cost:
        yield "cost", "printed"
        if isfinite(target.limit_s):
            yield "time_limit", write_duration(target.limit_s)
        if target.clock != "cpu":
            yield "clock", target.clock
    elif target.clock != "cpu" or isinstance(target.answer, JsonLine | IraceLine):
        yield "cost", target.clock
    answer = _answer(target.answer)
    if answer != ("json" if target.answer.prints_cost else "exit"):
        yield "answer", answer


def write_command(target: CommandTarget) -> str | list[str]:
    """Return the command as one string if that splits into the same words, else as a list."""
    if isinstance(target.command, str):
        return target.command
    words = [str(word) for word in target.command]
    joined = " ".join(words)
    try:
        return joined if shlex.split(joined) == words else words
    except ValueError:
        return words


def _answer(reader: Reader) -> str | Mapping[str, Any]:
    match reader:
        case SatSolver():
            return "sat"
        case ResultLine():
            return "aclib"
        case IraceLine():
            return "irace"
        case JsonLine():
            return _with_options("json", success=reader.success)
        case ExitCode():
            solutions = {str(code): text for code, text in reader.solutions.items()}
            return _with_options("exit", success=reader.success, solutions=solutions)
        case Pattern():
            patterns = {"cost": reader.cost, "solution": reader.solution, "time": reader.time}
            given = {key: pattern for key, pattern in patterns.items() if pattern is not None}
            return {"kind": "pattern", **given, **_success(reader.success)}
    raise ScenarioError(
        Fault(f"cannot write an answer reader of class {type(reader).__name__} to a file", key="target")
    )


def _with_options(
    kind: str, *, success: Any, solutions: Mapping[str, str] | None = None
) -> str | Mapping[str, Any]:
    options = _success(success) | ({"solutions": solutions} if solutions else {})
    return {"kind": kind, **options} if options else kind


def _success(codes: Any) -> dict[str, Any]:
    return {} if set(codes) == {0} else {"success": sorted(codes)}
