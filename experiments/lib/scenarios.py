"""The scenarios that tunings are compared on, as far as their recordings exist here."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from lib.arena.arena import Arena, recorded_arena, surrogate_arena
from lib.cost_table import CostTable
from lib.recording.cost_table import as_cost_table
from lib.recording.files import read_recording
from lib.recording.studies import STUDIES
from lib.spear import find_folder, read_spear
from lib.surrogate.surrogate import CACHE, make_surrogate

RECORDINGS = Path(__file__).parents[1] / "recordings"
_SPEAR = "SPEAR-SWV"
_RECORDED = ", recorded"  # suffix of arenas that allow recorded configs only


@dataclass(frozen=True, slots=True)
class Scenarios:
    """Functions that make the arenas, by name; and the reasons why other arenas are missing."""

    arenas: Mapping[str, Callable[[], Arena]]
    missing: Mapping[str, str]


def find_scenarios(recordings: Path = RECORDINGS, *, cache: Path = CACHE) -> Scenarios:
    """Find all recordings; each gives an arena of its recorded configs and an arena of its surrogate."""
    sources: dict[str, Callable[[], CostTable]] = {}
    missing: dict[str, str] = {}
    try:
        folder = find_folder()
        sources[_SPEAR] = lambda: read_spear(folder)
    except SystemExit as error:
        missing[_SPEAR] = str(error)
    for name in STUDIES:
        if (recordings / name / "runs.csv.gz").exists():
            sources[name] = lambda name=name: as_cost_table(read_recording(recordings / name), name=name)
        else:
            missing[name] = f"not recorded; record it with: python experiments/record {name}"
    arenas: dict[str, Callable[[], Arena]] = {}
    for name, read in sources.items():
        arenas[f"{name}{_RECORDED}"] = lambda read=read: recorded_arena(read())
        arenas[name] = lambda read=read: _surrogate(read(), cache)
    return Scenarios(arenas, missing)


def study_of(scenario: str) -> str:
    """Return the name of the recording that a scenario uses."""
    return scenario.removesuffix(_RECORDED)


def is_recorded(scenario: str) -> bool:
    """Return whether a scenario allows recorded configs only, at their exact costs."""
    return scenario.endswith(_RECORDED)


def _surrogate(recorded: CostTable, cache: Path) -> Arena:
    return surrogate_arena(recorded, make_surrogate(recorded, folder=cache))
