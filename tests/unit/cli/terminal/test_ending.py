"""The end of a tuning."""

from dataclasses import replace

import pytest

from reported import tuned
from tightrope.cli.terminal.ending import parameters
from tightrope.compare.progress import Progress
from tightrope.records import Config


@pytest.fixture(scope="module")
def progress() -> Progress:
    return tuned().progress


def changed(progress: Progress, n: int) -> Progress:
    """Return a progress whose best config changes this many parameters."""
    names = [f"p{i}" for i in range(50)]
    best = Config({name: int(i < n) for i, name in enumerate(names)})
    return replace(progress, default=Config(dict.fromkeys(names, 0)), config=best)


def test_every_change_has_a_line(progress: Progress) -> None:
    assert parameters(changed(progress, 30), "runs/a")[-1] == "  p29 = 1 (0)"
    assert len(parameters(changed(progress, 30), "runs/a")) == 30


def test_very_many_changes_are_cut_short(progress: Progress) -> None:
    *first, last = parameters(changed(progress, 45), "runs/a")
    assert len(first) == 29
    assert last == "  and 16 more changes; all values:  tightrope best runs/a"
