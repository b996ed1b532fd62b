"""Function: calls the user's Python function for one trial."""

import inspect
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from tightrope.errors import TargetError
from tightrope.records import Task, Trial
from tightrope.run.function.reply import Answer, Capped, read_answer, read_partial

_HEADING = "Traceback (most recent call last):"
_ERROR_CHARACTERS, _TRACEBACK_CHARACTERS = 1000, 4000
_TASK = ("instance", "seed")
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


@dataclass(frozen=True, slots=True)
class Failure:
    """An exception that the function raised, and the cost known to be spent until then."""

    error: str
    traceback: str
    spent: float = 0.0

    @property
    def note(self) -> str:
        """The exception and its traceback, shortened if long."""
        shown = self.traceback
        if len(shown) > _TRACEBACK_CHARACTERS:
            shown = f"{_HEADING}\n[...]{shown[-_TRACEBACK_CHARACTERS:]}"
        return f"{self.error[:_ERROR_CHARACTERS]}\n{shown}"


def split_note(note: str) -> tuple[str, str]:
    """Split a note into error and traceback; without a traceback, return the note twice."""
    error, heading, rest = note.partition(f"\n{_HEADING}")
    return error, heading[1:] + rest if heading else note


def _ignore(partial: float) -> None:
    """Do nothing with a partial cost."""


class Function:
    """Calls a function of a config and optionally a cap; its exceptions become a `Failure`."""

    def __init__(self, f: Callable[..., Any]) -> None:
        self._call, self.takes_cap = _make_caller(f)

    def evaluate(self, trial: Trial, *, on_partial: Callable[[float], None] = _ignore) -> Answer | Failure:
        """Call the function; if it yields partial costs, pass each to `on_partial`, up to the cap."""
        try:
            answer = self._call(trial)
        except Exception as error:  # noqa: BLE001 - any exception of the function is a failed run
            return _failure_of(error, spent=0.0)
        if isinstance(answer, Iterator):
            return _consume(answer, trial, on_partial)
        return read_answer(answer, trial)

    def run_to_end(self, trial: Trial) -> Capped | Failure | None:
        """Call the function to its end; its answer is ignored unless it is `Capped`."""
        try:
            answer = self._call(trial)
            if isinstance(answer, Iterator):
                deque(answer, maxlen=0)
        except Exception as error:  # noqa: BLE001 - as above
            return _failure_of(error, spent=0.0)
        return answer if isinstance(answer, Capped) else None


def _consume(
    partial_costs: Iterator[Any], trial: Trial, on_partial: Callable[[float], None]
) -> Answer | Failure:
    """Draw partial costs until they reach the cap or end; a value returned at the end is the cost."""
    reached: float | None = None
    try:
        while reached is None or reached < trial.cap:
            try:
                partial = next(partial_costs)
            except StopIteration as end:
                answer = reached if end.value is None else end.value
                return read_answer(answer, trial, reached=reached)
            except Exception as error:  # noqa: BLE001 - as above
                return _failure_of(error, spent=reached or 0.0)
            reached = read_partial(partial, trial, reached=reached)
            on_partial(reached)
    finally:
        failure = _close(partial_costs, spent=reached or 0.0)
    return failure or Answer(reached, capped=True)


def _close(partial_costs: Iterator[Any], *, spent: float) -> Failure | None:
    """Close the generator, so that the function can clean up."""
    try:
        getattr(partial_costs, "close", lambda: None)()
    except Exception as error:  # noqa: BLE001 - as above
        return _failure_of(error, spent=spent)
    return None


def _failure_of(error: Exception, *, spent: float) -> Failure:
    shown = traceback.format_exception(type(error), error, _skip_own_frames(error.__traceback__))
    (last,) = traceback.format_exception_only(error)[-1:]
    return Failure(last.strip(), "".join(shown), spent)


def _skip_own_frames(trace: TracebackType | None) -> TracebackType | None:
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    return trace


def _make_caller(f: Callable[..., Any]) -> tuple[Callable[[Trial], Any], bool]:
    """Return a call of the function for a trial, and whether the function takes the cap."""
    if not callable(f):
        raise TargetError(f"f must be a function of (config, cap), not {f!r}")
    try:
        parameters = list(inspect.signature(f).parameters.values())
    except ValueError:  # compiled functions may have no signature
        return (lambda trial: f(dict(trial.config), trial.cap)), True
    of_task = [p for p in parameters[1:] if p.name in _TASK and p.kind in _NAMED]
    cap = _find_cap([p for p in parameters if p not in of_task])
    is_second = cap is not None and (cap.kind not in _NAMED or cap == parameters[1])

    def call(trial: Trial) -> Any:
        keywords = _task_arguments(trial.task, of_task)
        if cap is None:
            return f(dict(trial.config), **keywords)
        if is_second and cap.kind is not inspect.Parameter.KEYWORD_ONLY:
            return f(dict(trial.config), trial.cap, **keywords)
        return f(dict(trial.config), **{cap.name: trial.cap}, **keywords)

    return call, cap is not None


def _find_cap(parameters: list[inspect.Parameter]) -> inspect.Parameter | None:
    """Return the parameter that takes the cap: one named cap, or the second required one."""
    for p in parameters:
        if p.name == "cap" and p.kind is inspect.Parameter.KEYWORD_ONLY:
            return p
    positional = [p for p in parameters if p.kind in _POSITIONAL]
    required = [p for p in positional if p.default is inspect.Parameter.empty]
    several = [p for p in parameters if p.kind is inspect.Parameter.VAR_POSITIONAL]
    if several and len(required) <= 2:
        return (positional + several)[1] if positional else several[0]
    if not positional or len(required) > 2:
        raise TargetError(
            f"f must take (config, cap), but takes {', '.join(p.name for p in required) or 'no arguments'}",
            hint="write it as f(config, cap), optionally with instance and seed; bind other arguments with "
            "functools.partial",
        )
    if len(required) == 2 or any(p.name == "cap" for p in positional[1:2]):
        return positional[1]
    return None


def _task_arguments(task: Task, parameters: list[inspect.Parameter]) -> dict[str, Any]:
    """Return instance and seed as keywords; for the empty task, parameters with defaults keep them."""
    wanted = [p.name for p in parameters if p.default is inspect.Parameter.empty or task != Task()]
    return {name: getattr(task, name) for name in wanted}
