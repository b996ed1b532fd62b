"""The two arenas of SPEAR."""

from pathlib import Path
from typing import Literal

from arena.arena import Arena, recorded_arena, surrogate_arena
from arena.surrogate import CACHE, make_surrogate

from spear.recorded import find_folder, read_recorded

Kind = Literal["recorded", "surrogate"]


def arena(kind: Kind, *, folder: Path = CACHE) -> Arena:
    """Make the arena of the recorded configs, or of the whole space (its model is kept in the folder)."""
    recorded = read_recorded(find_folder())
    if kind == "recorded":
        return recorded_arena(recorded)
    return surrogate_arena(recorded, make_surrogate(recorded, folder=folder))
