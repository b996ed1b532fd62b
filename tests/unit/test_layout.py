"""The house rules that no linter knows: file sizes, and what may stand at the top."""

import re
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "tightrope"
CHANGES = Path(__file__).parents[2] / "changes"
MOST_LINES = 300
LONG: set[str] = set()
AT_THE_TOP = {"__init__", "__main__", "budget", "drive", "errors", "findings", "truncated", "units"}


def test_no_source_file_is_longer_than_one_thought() -> None:
    files = [path for path in SOURCE.rglob("*") if path.suffix in (".py", ".cpp", ".hpp")]
    long = {
        str(path.relative_to(SOURCE)) for path in files if len(path.read_text().splitlines()) > MOST_LINES
    }
    assert long == LONG


def test_nothing_else_is_loose_at_the_top() -> None:
    assert {path.stem for path in SOURCE.glob("*.py")} == AT_THE_TOP


def test_every_room_says_what_it_holds() -> None:
    for path in SOURCE.rglob("__init__.py"):
        assert len(path.read_text().split('"""')[1].strip()) > 20, path


def test_unit_tests_mirror_the_source() -> None:
    tests = Path(__file__).parent
    for folder in (path for path in tests.rglob("*") if path.is_dir() and path.name != "__pycache__"):
        assert (SOURCE / folder.relative_to(tests)).is_dir(), folder


def test_every_change_says_what_kind_it_is() -> None:
    fragments = [path.name for path in CHANGES.iterdir() if path.name != "README.md"]
    assert [
        name for name in fragments if not re.fullmatch(r"\+[\w-]+\.(added|changed|fixed)\.md", name)
    ] == []
