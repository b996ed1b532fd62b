"""The studies that can be recorded: a solver, instances, and the ceiling of its cost."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from pathlib import Path
from tempfile import NamedTemporaryFile

from lib.recording.cp_sat import cp_sat_on_knapsacks, cp_sat_on_lot_sizing, cp_sat_on_tours
from lib.recording.formula import draw_quasigroup, draw_threshold, shuffle_names
from lib.recording.knapsack import draw_knapsack, optimal_packing
from lib.recording.lot_sizing import draw_plant, highs, optimal_plan
from lib.recording.parity import draw_parity
from lib.recording.result import Solver
from lib.recording.sat_solvers import cadical, clasp, kissat, minisat
from lib.recording.tour import draw_cities, optimal_tour
from tightrope.demo.instance import Size, write_instance
from tightrope.scenario.pcs.read import read_pcs
from tightrope.space import Space

_PARAMETERS = Path(__file__).parent / "parameters"


@dataclass(frozen=True, slots=True)
class Study:
    """A solver to be recorded.

    Attributes
    ----------
    solver : callable
        Returns the solver, or exits with what to install.
    unit : str
        The unit of its cost.
    ceiling : float
        The largest cost of a run.
    parameters : str
        The name of a PCS file.
    draw : callable
        Returns the text of the instance of a seed.
    answer : callable
        Returns the correct answer for such a text.
    suffix : str, default "cnf"
        Suffix of the instances' files.
    varied : float, default 0.0
        Share of configs that are variations of the default, for solvers whose default is hard to beat.
    """

    solver: Callable[[], Solver]
    unit: str
    ceiling: float
    parameters: str
    draw: Callable[[int], str]
    answer: Callable[[str], str]
    suffix: str = "cnf"
    varied: float = 0.0

    @property
    def parameter_file(self) -> Path:
        """The PCS file of the solver."""
        return _PARAMETERS / f"{self.parameters}.pcs"

    def space(self) -> Space:
        """Return the solver's parameters."""
        return Space(read_pcs(self.parameter_file))


def _ask(other: Callable[[], Solver]) -> Callable[[str], str]:
    """Return a function that answers a formula with another solver."""

    def ask(text: str) -> str:
        with NamedTemporaryFile("w", suffix=".cnf") as file:
            file.write(text)
            file.flush()
            answer = other().solve({}, Path(file.name), ceiling=inf).answer
        assert answer in {"SAT", "UNSAT"}, f"{other.__name__} answers {answer}"
        return answer

    return ask


def _draw_circuits(seed: int, size: Size) -> str:
    return shuffle_names(write_instance(seed, size), seed)


_SMALL = Size(n_latches=11, n_inputs=9, n_gates=17, n_frames=3)
_LARGE = Size(n_latches=14, n_inputs=10, n_gates=21, n_frames=4)

STUDIES: Mapping[str, Study] = {
    "cp-sat-knapsacks": Study(
        solver=cp_sat_on_knapsacks,
        unit="deterministic seconds",
        ceiling=0.02,
        parameters="cp-sat",
        draw=lambda seed: draw_knapsack(seed, n_items=11, n_limits=4),
        answer=optimal_packing,
        suffix="json",
    ),
    "cp-sat-lot-sizing": Study(
        solver=cp_sat_on_lot_sizing,
        unit="deterministic seconds",
        ceiling=0.02,
        parameters="cp-sat",
        draw=lambda seed: draw_plant(seed, n_periods=10),
        answer=optimal_plan,
        suffix="json",
        varied=0.5,
    ),
    "cp-sat-tours": Study(
        solver=cp_sat_on_tours,
        unit="deterministic seconds",
        ceiling=0.006,
        parameters="cp-sat",
        draw=lambda seed: draw_cities(seed, n_cities=8),
        answer=optimal_tour,
        suffix="json",
    ),
    "kissat-parity": Study(
        solver=kissat,
        unit="ticks",
        ceiling=3e6,
        parameters="kissat-wide",
        draw=lambda seed: draw_parity(seed, n_vertices=50, n_chords=30, reach=5),
        answer=lambda _: "UNSAT",  # by construction
    ),
    "clasp-circuits": Study(
        solver=clasp,
        unit="conflicts",
        ceiling=1.5e4,
        parameters="clasp",
        draw=lambda seed: _draw_circuits(seed, _SMALL),
        answer=lambda _: "UNSAT",  # by construction
    ),
    # Runs of these are long enough for live tunings: starting a process takes a few milliseconds.
    "kissat-large-parity": Study(
        solver=kissat,
        unit="ticks",
        ceiling=1e7,
        parameters="kissat-wide",
        draw=lambda seed: draw_parity(seed, n_vertices=60, n_chords=42, reach=5),
        answer=lambda _: "UNSAT",  # by construction
    ),
    "clasp-large-circuits": Study(
        solver=clasp,
        unit="conflicts",
        ceiling=7.5e4,
        parameters="clasp",
        draw=lambda seed: _draw_circuits(seed, _LARGE),
        answer=lambda _: "UNSAT",  # by construction
    ),
    # These can be recorded, but their configs differ little or their defaults are hard to beat.
    "minisat-quasigroups": Study(
        solver=minisat,
        unit="propagations",
        ceiling=1.5e6,
        parameters="minisat",
        draw=lambda seed: draw_quasigroup(seed, order=28, n_holes=330),
        answer=lambda _: "SAT",  # by construction
        varied=0.5,
    ),
    "cadical-quasigroups": Study(
        solver=cadical,
        unit="propagations",
        ceiling=1e6,
        parameters="cadical",
        draw=lambda seed: draw_quasigroup(seed, order=28, n_holes=330),
        answer=lambda _: "SAT",  # by construction
        varied=0.5,
    ),
    "kissat-threshold": Study(
        solver=kissat,
        unit="ticks",
        ceiling=3e7,
        parameters="kissat",
        draw=lambda seed: draw_threshold(seed, n_variables=170, ratio=4.1),
        answer=_ask(minisat),
    ),
    "kissat-quasigroups": Study(
        solver=kissat,
        unit="ticks",
        ceiling=2e7,
        parameters="kissat",
        draw=lambda seed: draw_quasigroup(seed, order=29, n_holes=355),
        answer=lambda _: "SAT",  # by construction
    ),
    "highs-lot-sizing": Study(
        solver=highs,
        unit="iterations",
        ceiling=1e4,
        parameters="highs",
        draw=lambda seed: draw_plant(seed, n_periods=24),
        answer=optimal_plan,
        suffix="json",
    ),
}
