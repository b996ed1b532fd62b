"""The README's flow, command by command; only the budget that `init` writes is made smaller."""

import re
import sys
from pathlib import Path

import pytest

from pages import Command, blocks_of, run_command
from tightrope.demo.folder import write_instances
from tightrope.demo.instance import Size
from tightrope.demo.kissat import find_kissat

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the supervisor is for Linux"),
]

README = Path(__file__).parents[2] / "README.md"
VERBS = ("init", "check", "tune", "resume", "status", "validate", "report", "best")


def commands_of_the_flow() -> list[str]:
    """Return the command lines of the block that begins in the user's own folder."""
    (block,) = (each for each in blocks_of(README.read_text(encoding="utf-8")) if "cd my-solver" in each.text)
    return re.findall(r"^tightrope .*$", block.text, re.MULTILINE)


def test_what_the_readme_tells_to_type_works(tmp_path: Path) -> None:
    (tmp_path / "kissat").symlink_to(find_kissat())
    write_instances(tmp_path, 24, size=Size(n_frames=3))
    typed = commands_of_the_flow()
    assert tuple(line.split()[1] for line in typed) == VERBS
    for line in typed:
        run_command(Command(line.replace(" --open", ""), 0, ""), tmp_path)
        if line.startswith("tightrope check"):  # which would find the smaller budget too small
            scenario = tmp_path / "scenario.toml"
            text = scenario.read_text(encoding="utf-8")
            assert '"1h"' in text
            scenario.write_text(text.replace('"1h"', '"8s"'), encoding="utf-8")
