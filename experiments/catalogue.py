"""All scenarios that tunings are compared on, as far as their recordings are here."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from arena.arena import Arena, recorded_arena, surrogate_arena
from arena.recorded import Recorded
from arena.surrogate import CACHE, make_surrogate
from recording.matrix import read_matrix
from recording.recorded import as_recorded
from recording.study import STUDIES
from spear.recorded import find_folder, read_recorded

RECORDINGS = Path(__file__).parent / "recordings"
_SPEAR = "SPEAR-SWV"
_RECORDED = ", recorded"  # that is, only the configs that were


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Arenas by their names, each made when it is asked for; and why others are missing."""

    arenas: Mapping[str, Callable[[], Arena]]
    missing: Mapping[str, str]


def find_scenarios(recordings: Path = RECORDINGS, *, cache: Path = CACHE) -> Catalogue:
    """Look for all recordings; each is an arena of what was recorded, and one of its surrogate."""
    sources: dict[str, Callable[[], Recorded]] = {}
    missing: dict[str, str] = {}
    try:
        folder = find_folder()
        sources[_SPEAR] = lambda: read_recorded(folder)
    except SystemExit as error:
        missing[_SPEAR] = str(error)
    for name in STUDIES:
        if (recordings / name / "runs.csv.gz").exists():
            sources[name] = lambda name=name: as_recorded(read_matrix(recordings / name), name=name)
        else:
            missing[name] = f"not recorded: python experiments/record.py {name}"
    arenas: dict[str, Callable[[], Arena]] = {}
    for name, read in sources.items():
        arenas[f"{name}{_RECORDED}"] = lambda read=read: recorded_arena(read())
        arenas[name] = lambda read=read: _surrogate(read(), cache)
    return Catalogue(arenas, missing)


def study_of(scenario: str) -> str:
    """Return the name of what was recorded, with all configs or the recorded."""
    return scenario.removesuffix(_RECORDED)


def is_recorded(scenario: str) -> bool:
    """Tell whether only the recorded configs can be run, at their exact costs."""
    return scenario.endswith(_RECORDED)


def _surrogate(recorded: Recorded, cache: Path) -> Arena:
    return surrogate_arena(recorded, make_surrogate(recorded, folder=cache))
