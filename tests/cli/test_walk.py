"""From `tightrope tune` to the first trial: how many functions and files a reader has to pass.

Counted is every function of the package that a tuning enters between `cli.main.run` and the process of its
first trial, which `run/command.py` starts. Not counted are:

* class bodies, magic methods, properties, lambdas, comprehensions, and calls made by an import;
* parts that a reader can take as given: `scenario`, `space`, `store`, `forest`, `gp`, `errors`, `units`,
  `cli/terminal`, `cli/files`, `records`, `budget`, and the template of a command line.

To print the list:  pytest tests/cli/test_walk.py --capture=no
"""

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType

import pytest

import tightrope
from tightrope.cli.main import run
from tightrope.run.supervise.supervisor import Supervised

MOST_FUNCTIONS = 45
MOST_FILES = 20

_SOURCE = Path(tightrope.__file__).parent
_TAKEN_AS_GIVEN = (
    *("scenario", "space", "store", "forest", "gp", "errors", "units", "cli/terminal", "records", "budget"),
    *("run/template", "run/style", "cli/files"),
)
_IMPORTS = "<frozen importlib._bootstrap>"


class _FirstTrialError(Exception):
    """Ends the tuning at its first trial."""


def test_the_path_from_the_command_to_the_first_trial_is_short(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    functions = _walk(monkeypatch)
    for number, (file, name) in enumerate(functions, start=1):
        sys.stdout.write(f"{number:3}  {file}  {name}\n")
    assert functions[0] == ("cli/main.py", "run")
    assert ("run/command.py", "CommandTarget.start") in functions
    assert len(functions) <= MOST_FUNCTIONS
    assert len({file for file, _ in functions}) <= MOST_FILES


def _walk(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Return file and name of each function, in the order in which they are entered."""
    entered: dict[CodeType, None] = {}

    def profile(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_code not in entered and not _is_import(frame):
            entered[frame.f_code] = None

    def stop(*arguments: object, **options: object) -> None:
        sys.setprofile(None)
        raise _FirstTrialError

    monkeypatch.setattr(Supervised, "__init__", stop)
    sys.setprofile(profile)
    try:
        with pytest.raises(_FirstTrialError):
            run(["tune", "-q", "--workers", "1"])
    finally:
        sys.setprofile(None)
    properties = set(_properties())
    return [place for code in entered if code not in properties and (place := _place(code)) is not None]


def _is_import(frame: FrameType) -> bool:
    """Whether a call is made by an import, or comes before the walk."""
    above: FrameType | None = frame
    while above is not None and above.f_code is not run.__code__:
        if above.f_code.co_filename == _IMPORTS:
            return True
        above = above.f_back
    return above is None


def _place(code: CodeType) -> tuple[str, str] | None:
    """Return file and name of a function; None if it does not count."""
    path = Path(code.co_filename)
    if not path.is_relative_to(_SOURCE) or code.co_name.startswith(("<", "__")):
        return None
    file = path.relative_to(_SOURCE).as_posix()
    is_given = file.startswith(tuple(f"{part}{end}" for part in _TAKEN_AS_GIVEN for end in ("/", ".py")))
    is_class_body = not code.co_flags & inspect.CO_OPTIMIZED
    return None if is_given or is_class_body else (file, code.co_qualname)


def _properties() -> Iterator[CodeType]:
    """Yield the code of every property of the package."""
    for name, module in list(sys.modules.items()):
        if name.startswith("tightrope"):
            for _, each in inspect.getmembers(module, inspect.isclass):
                for attribute in vars(each).values():
                    if isinstance(attribute, property) and inspect.isfunction(attribute.fget):
                        yield attribute.fget.__code__
