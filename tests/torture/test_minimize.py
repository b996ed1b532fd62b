"""minimize() with a journal, killed again and again: it loses nothing and ends as it would have."""

import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tightrope import Budget, Capped, minimize
from tightrope.store import JournalReader

pytestmark = pytest.mark.slow

SCRIPT = """
import sys, time
sys.path.insert(0, {folder!r})
from test_minimize import SETTINGS, slow_bowl
from tightrope import minimize
minimize(slow_bowl, journal={journal!r}, **SETTINGS)
print("done")
"""
SETTINGS: dict[str, Any] = {
    "space": {"x": (0.0, 1.0), "kind": ["a", "b"]},
    "budget": Budget(evaluations=60),
    "model": "forest",
    "seed": 3,
}


def bowl(config: dict[str, Any], cap: float) -> float | Capped:
    cost = 1.0 + 30.0 * (config["x"] - 0.3) ** 2 + (config["kind"] == "b")
    return cost if cost < cap else Capped(at=cap)


def slow_bowl(config: dict[str, Any], cap: float) -> float | Capped:
    time.sleep(0.02)
    return bowl(config, cap)


def test_a_search_that_is_killed_loses_nothing_and_ends_as_it_would_have(tmp_path: Path) -> None:
    seed = random.randrange(2**32)
    print(f"seed {seed}")  # noqa: T201 - shown if it fails
    rng = random.Random(seed)
    journal = tmp_path / "search.journal"
    script = SCRIPT.format(folder=str(Path(__file__).parent), journal=str(journal))
    n_kills = n_known = 0
    while True:
        process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
        try:
            out, _ = process.communicate(timeout=1.2 + rng.random())
            assert out == b"done\n"
            break
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            n_kills += 1
        if journal.exists() and journal.stat().st_size:
            with JournalReader(journal) as reader:
                assert len(reader.history()) >= n_known, "a committed outcome is gone"
                n_known = len(reader.history())
    whole = minimize(bowl, **SETTINGS)
    with JournalReader(journal) as reader:
        found = [(run.trial, run.outcome.cost) for run in reader.history()]
    assert n_kills > 0
    assert found == [(run.trial, run.outcome.cost) for run in whole.history]
