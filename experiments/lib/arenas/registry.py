"""The arenas that settings are chosen on, and those that the choice is judged by.

Both halves have lists and whole spaces, arenas with and without tails, with and without features. Ceilings
are 10 to 1000 times the mean cost of the best config. Budgets are for 100 to 20,000 runs.
"""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Literal

from lib.arena.arena import Arena
from lib.arena.mixture import EVEN, TAILED, Mixing, mixed_arena
from lib.arenas.aslib import aslib_arena
from lib.arenas.inputs import inputs_arena
from lib.budgets import budget_of
from lib.data import VARIABLE, data_folder
from lib.recording.cost_table import as_cost_table
from lib.recording.files import read_recording
from lib.scenarios import find_scenarios
from lib.surrogate.surrogate import make_surrogate

Half = Literal["choose", "judge"]
Make = Callable[[Path, Path], Arena]  # from the folders of the recordings and of fitted surrogates
MANY_SLOTS = 16


@dataclass(frozen=True, slots=True)
class Entry:
    """An arena with the budget of its tunings, in runs of the default config at its mean cost."""

    name: str
    half: Half
    make: Make
    _: KW_ONLY
    budget: float
    slots: int = 1
    needs: str | None = None  # folder of recorded runs that are not in the repository

    def missing(self) -> str | None:
        """Return why the arena cannot be made here; None if it can."""
        data = data_folder()
        if self.needs is None or (data is not None and (data / self.needs).exists()):
            return None
        return f"set the environment variable {VARIABLE} to the folder that contains {self.needs}/"


def _scenario(
    half: Half, scenario: str, *, budget: float | None = None, slots: int = 1, label: str | None = None
) -> Entry:
    def make(recordings: Path, cache: Path) -> Arena:
        return find_scenarios(recordings, cache=cache).arenas[scenario]()

    needs = "spear-swv" if scenario.startswith("SPEAR") else None
    budget = budget or budget_of(scenario)
    return Entry(_name(scenario, label), half, make, budget=budget, slots=slots, needs=needs)


def _mixture(half: Half, study: str, mixing: Mixing, *, budget: float, slots: int = 1) -> Entry:
    def make(recordings: Path, cache: Path) -> Arena:
        recorded = as_cost_table(read_recording(recordings / study), name=study)
        return mixed_arena(recorded, make_surrogate(recorded, folder=cache).model, mixing)

    name = _name(study, "even" if mixing is EVEN else "tailed")
    return Entry(name, half, make, budget=budget, slots=slots)


def _inputs(
    half: Half,
    program: str,
    *,
    ceiling: float,
    rank: float,
    budget: float,
    slots: int = 1,
    label: str | None = None,
) -> Entry:
    def make(recordings: Path, cache: Path) -> Arena:
        return inputs_arena((data_folder() or Path()) / needs, ceiling=ceiling, rank=rank)

    needs = f"inputs/{program}"
    return Entry(_name(program, label), half, make, budget=budget, slots=slots, needs=needs)


def _aslib(half: Half, name: str, *, ceiling: float, budget: float, slots: int = 1) -> Entry:
    def make(recordings: Path, cache: Path) -> Arena:
        return aslib_arena((data_folder() or Path()) / needs, ceiling=ceiling, rank=0.5)

    needs = f"aslib/{name}"
    return Entry(name, half, make, budget=budget, slots=slots, needs=needs)


def _name(source: str, label: str | None) -> str:
    return source if label is None else f"{source}, {label}"


ENTRIES = (
    _scenario("choose", "cp-sat-lot-sizing", slots=MANY_SLOTS),
    _scenario("choose", "cp-sat-lot-sizing", budget=100, label="short"),
    _scenario("choose", "kissat-large-parity, recorded"),
    _scenario("choose", "SPEAR-SWV", budget=823, label="10,000 s"),
    _mixture("choose", "kissat-large-parity", EVEN, budget=380),
    _mixture("choose", "kissat-large-parity", TAILED, budget=215, slots=MANY_SLOTS),
    _inputs("choose", "x264", ceiling=50.0, rank=0.6, budget=500),
    _inputs("choose", "x264", ceiling=4000.0, rank=0.4, budget=2000, label="high ceiling"),
    _inputs("choose", "gcc", ceiling=300.0, rank=0.7, budget=100),
    _aslib("choose", "ASP-POTASSCO", ceiling=600.0, budget=800),
    _scenario("choose", "cp-sat-knapsacks"),
    _scenario("choose", "cp-sat-tours"),
    _scenario("choose", "kissat-large-parity", slots=MANY_SLOTS),
    _inputs("choose", "xz", ceiling=15.0, rank=0.7, budget=100),
    _scenario("judge", "kissat-parity"),
    _scenario("judge", "kissat-parity", budget=3000, label="long"),
    _scenario("judge", "clasp-circuits"),
    _scenario("judge", "clasp-circuits", budget=50, label="short"),
    _scenario("judge", "clasp-large-circuits"),
    _scenario("judge", "clasp-circuits, recorded"),
    _scenario("judge", "SPEAR-SWV", budget=4117, label="50,000 s"),
    _scenario("judge", "SPEAR-SWV, recorded", budget=823),
    _mixture("judge", "clasp-large-circuits", EVEN, budget=430, slots=MANY_SLOTS),
    _mixture("judge", "clasp-large-circuits", TAILED, budget=160),
    _inputs("judge", "imagemagick", ceiling=200.0, rank=0.5, budget=300, slots=MANY_SLOTS),
    _aslib("judge", "SAT11-INDU-ALGO", ceiling=5000.0, budget=200),
)
