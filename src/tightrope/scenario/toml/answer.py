"""Reader of the keys `cost` and `answer`: what is minimised, and how it is read from a run."""

from collections.abc import Callable, Collection, Mapping

from tightrope.errors import TargetError
from tightrope.run.answer import ExitCode, JsonLine, Pattern, Reader
from tightrope.run.convention import IraceLine, ResultLine, SatSolver
from tightrope.scenario.toml.entry import Entry, refuse_unknown

Fields = Mapping[str, Entry]


def read_answer(answer: Entry | None, cost: Entry | None) -> Reader:
    """Return the reader of answers; it also says whether the cost is printed.

    Parameters
    ----------
    answer : Entry or None
        The kind of the answer, or a table with `kind` and options.
    cost : Entry or None
        "cpu", "wall" or "printed"; None: decided by the answer.
    """
    is_printed = None if cost is None else cost.value == "printed"
    if answer is None:
        return JsonLine() if is_printed else ExitCode()
    fields: Fields = {"kind": answer}
    if isinstance(answer.value, dict):
        fields = answer.table()
        if "kind" not in fields:
            raise answer.error("the key `kind` is missing", hint=f"add one of {', '.join(_KINDS)}")
    kind = fields["kind"].one_of(_KINDS)
    options, make = _KINDS[kind]
    refuse_unknown(fields, ("kind", *options), what=f"option of the answer {kind!r}")
    try:
        reader = make(fields, is_printed)
    except TargetError as error:
        raise answer.error(error.problem, hint=error.hint) from None
    if is_printed is not None and is_printed != reader.prints_cost:
        assert cost is not None
        raise cost.error(
            f"the answer {kind!r} {'has no cost' if is_printed else 'has the cost'}",
            hint="use 'json', 'pattern', 'aclib' or 'irace' for printed costs"
            if is_printed
            else "remove the pattern of the cost",
        )
    return reader


def _exit(fields: Fields, is_printed: bool | None) -> Reader:
    solutions = {_code(code, entry): entry.text() for code, entry in _table(fields, "solutions").items()}
    return ExitCode(_success(fields), solutions)


def _sat(fields: Fields, is_printed: bool | None) -> Reader:
    return SatSolver()


def _json(fields: Fields, is_printed: bool | None) -> Reader:
    return JsonLine(cost=is_printed is not False, success=_success(fields))


def _pattern(fields: Fields, is_printed: bool | None) -> Reader:
    patterns = {key: fields[key].text() for key in ("cost", "solution", "time") if key in fields}
    return Pattern(**patterns, success=_success(fields))


def _aclib(fields: Fields, is_printed: bool | None) -> Reader:
    return ResultLine(quality=is_printed is True)


def _irace(fields: Fields, is_printed: bool | None) -> Reader:
    return IraceLine(cost=is_printed is not False)


_KINDS: Mapping[str, tuple[tuple[str, ...], Callable[[Fields, bool | None], Reader]]] = {
    "exit": (("success", "solutions"), _exit),
    "sat": ((), _sat),
    "json": (("success",), _json),
    "pattern": (("cost", "solution", "time", "success"), _pattern),
    "aclib": ((), _aclib),
    "irace": ((), _irace),
}


def _success(fields: Fields) -> Collection[int]:
    if "success" not in fields:
        return (0,)
    return tuple(code.integer() for code in fields["success"].items("a list of exit codes"))


def _table(fields: Fields, key: str) -> Fields:
    return fields[key].table() if key in fields else {}


def _code(text: str, entry: Entry) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 3):
        raise entry.name.error(
            f"{text!r} is not an exit code", key=entry.key, hint='write for example { 10 = "SAT" }'
        )
    return int(text)
