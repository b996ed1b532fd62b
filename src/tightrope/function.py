"""A user's Python function, called for one trial at a time."""

import inspect
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from tightrope.answer import Answer, read_answer, read_partial
from tightrope.errors import TargetError
from tightrope.records import Trial

_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


@dataclass(frozen=True, slots=True)
class Failure:
    """An exception that the function raised, and what it is known to have spent until then."""

    error: str
    traceback: str
    spent: float = 0.0


class Function:
    """Evaluates a function of a config and perhaps a cap; what it raises becomes a `Failure`."""

    def __init__(self, f: Callable[..., Any]) -> None:
        self._call, self.takes_cap = _learn_to_call(f)

    def evaluate(self, trial: Trial) -> Answer | Failure:
        """Call the function and draw its partial costs, if it yields any, up to the cap."""
        try:
            answer = self._call(dict(trial.config), trial.cap)
        except Exception as error:  # noqa: BLE001 - whatever the function raises belongs to the record
            return _record(error, spent=0.0)
        if isinstance(answer, Iterator):
            return _follow(answer, trial)
        return read_answer(answer, trial)


def _follow(partial_costs: Iterator[Any], trial: Trial) -> Answer | Failure:
    """Draw partial costs until they reach the cap or end; a value that is returned at the end is the cost."""
    reached: float | None = None
    try:
        while reached is None or reached < trial.cap:
            try:
                partial = next(partial_costs)
            except StopIteration as end:
                answer = reached if end.value is None else end.value
                return read_answer(answer, trial, reached=reached)
            except Exception as error:  # noqa: BLE001 - as above
                return _record(error, spent=reached or 0.0)
            reached = read_partial(partial, trial, reached=reached)
    finally:
        failure = _close(partial_costs, spent=reached or 0.0)
    return failure or Answer(reached, capped=True)


def _close(partial_costs: Iterator[Any], *, spent: float) -> Failure | None:
    """Let the function tidy up."""
    try:
        getattr(partial_costs, "close", lambda: None)()
    except Exception as error:  # noqa: BLE001 - as above
        return _record(error, spent=spent)
    return None


def _record(error: Exception, *, spent: float) -> Failure:
    shown = traceback.format_exception(type(error), error, _without_us(error.__traceback__))
    (last,) = traceback.format_exception_only(error)[-1:]
    return Failure(last.strip(), "".join(shown), spent)


def _without_us(trace: TracebackType | None) -> TracebackType | None:
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    return trace


def _learn_to_call(f: Callable[..., Any]) -> tuple[Callable[[dict[str, Any], float], Any], bool]:
    """Return how to call a function with a config and a cap, and whether it gets to see the cap."""
    if not callable(f):
        raise TargetError(f"f must be a function of (config, cap), not {f!r}")
    try:
        parameters = inspect.signature(f).parameters.values()
    except ValueError:  # compiled functions need not tell
        return f, True
    if any(p.name == "cap" and p.kind is inspect.Parameter.KEYWORD_ONLY for p in parameters):
        return (lambda config, cap: f(config, cap=cap)), True
    positional = [p for p in parameters if p.kind in _POSITIONAL]
    required = [p for p in positional if p.default is inspect.Parameter.empty]
    if any(p.kind is inspect.Parameter.VAR_POSITIONAL for p in parameters) and len(required) <= 2:
        return f, True
    if not positional or len(required) > 2:
        raise TargetError(
            f"f takes {', '.join(p.name for p in required) or 'no arguments'}",
            hint="write it as f(config, cap); bind further arguments with functools.partial",
        )
    if len(required) == 2 or any(p.name == "cap" for p in positional[1:2]):
        return f, True
    return (lambda config, cap: f(config)), False
