"""From the names that users write to the parts of a plan."""

from collections.abc import Sequence
from math import inf, isfinite

import numpy as np

from tightrope.records import Config
from tightrope.search.cap import CapRule, FixedSlack, InformationRate
from tightrope.search.design import Design, DoublingDesign, PlainDesign, RisingDesign
from tightrope.search.model import Model
from tightrope.search.surrogate import ForestModel, ProcessModel
from tightrope.space import Space
from tightrope.space.design import latin_hypercube, sobol

MODELS = ("auto", "forest", "process")
DESIGNS = ("doubling", "rising", "lhd", "sobol")
CAPS = ("slack", "information")

_DOUBLINGS = 10  # from the first cap to the ceiling


def choose_model(model: str | Model, space: Space, *, log: bool, noisy: bool = False) -> Model:
    """Choose by name; "auto" takes the process wherever it can be used."""
    if not isinstance(model, str):
        return model
    _check_name("model", model, MODELS)
    numeric = not space.categorical.any() and not space.is_parent.any()
    if model == "process" and not numeric:
        raise ValueError("model='process' needs a space of numbers without conditions: use 'forest'")
    if model == "forest" or not numeric:
        return ForestModel(log=log)
    return ProcessModel(log=log, noisy=noisy)


def choose_caps(caps: str | CapRule, *, slack: float, ceiling: float, log: bool) -> CapRule:
    """Choose by name; without a slack nothing is capped."""
    if not isinstance(caps, str):
        return caps
    _check_name("caps", caps, CAPS)
    if caps == "information" and slack < inf:
        return InformationRate(ceiling=ceiling, log=log)
    return FixedSlack(slack, ceiling)


class Rounds:
    """Configs that fill the space evenly, any number of times; each round is drawn once."""

    def __init__(self, space: Space, n: int, *, design: str, seed: int) -> None:
        self._space, self._n, self._seed = space, n, seed
        self._draw = sobol if design == "sobol" else latin_hypercube
        self._drawn: dict[int, Sequence[Config]] = {}

    def __call__(self, number: int) -> Sequence[Config]:
        """Return the configs of a round; equal ones once."""
        if number not in self._drawn:
            rng = np.random.default_rng([self._seed, number] if number else [self._seed])
            rows = self._draw(self._space, self._n, rng)
            self._drawn[number] = list(dict.fromkeys(self._space.decode(row) for row in rows))
        return self._drawn[number]


def default_size(space: Space) -> int:
    """Return how many configs a design has unless it is told."""
    return max(5, 2 * space.n_columns)


def choose_design(
    design: str, space: Space, *, n: int, first_cap: float | None, ceiling: float, capped: bool, seed: int
) -> Design:
    """Choose by name; where nothing is capped, every design evaluates its configs once."""
    _check_name("design", design, DESIGNS)
    rounds = Rounds(space, n, design=design, seed=seed)
    if design not in ("doubling", "rising") or not capped:
        return PlainDesign(rounds(0))
    first = first_cap or (ceiling / 2**_DOUBLINGS if isfinite(ceiling) else 1.0)
    first = min(first, ceiling)
    if design == "rising":
        return RisingDesign(rounds, first, ceiling)
    return DoublingDesign(rounds(0), first, ceiling)


def _check_name(setting: str, name: str, known: Sequence[str]) -> None:
    if name not in known:
        quoted = [f"{other!r}" for other in known]
        raise ValueError(f"{setting} must be {', '.join(quoted[:-1])} or {quoted[-1]}, not {name!r}")
