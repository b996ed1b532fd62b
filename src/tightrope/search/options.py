"""Options of `minimize`: the parts of a search, made from the names that users pass."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf, isfinite
from typing import Any

import numpy as np

from tightrope.records import Config
from tightrope.search.candidates import Effort
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


@dataclass(frozen=True, slots=True)
class Options:
    """All settings that a search follows."""

    space: Space
    design: Design
    model: Model
    cap_rule: CapRule
    slack: float = 1.3
    ceiling: float = inf
    log: bool = True
    noisy: bool = False
    seed: int = 0
    random_share: float = 0.0
    effort: Effort = field(default_factory=Effort)
    settings: dict[str, Any] = field(default_factory=dict)  # as the user passed them

    @classmethod
    def of(
        cls,
        space: Any,
        *,
        slack: float,
        ceiling: float | None,
        model: str | Model,
        design: str,
        n_initial: int | None,
        first_cap: float | None,
        caps: str | CapRule,
        random_share: float,
        log: bool,
        noisy: bool,
        seed: int,
    ) -> "Options":
        """Check what users pass (see `Optimizer`), and make the parts."""
        space = Space.of(space)
        ceiling = inf if ceiling is None else ceiling
        _check(slack=slack, ceiling=ceiling, first_cap=first_cap, random_share=random_share)
        n = n_initial or default_size(space)
        return cls(
            space,
            choose_design(
                design, space, n=n, first_cap=first_cap, ceiling=ceiling, capped=slack < inf, seed=seed
            ),
            choose_model(model, space, log=log, noisy=noisy),
            choose_caps(caps, slack=slack, ceiling=ceiling, log=log),
            slack=slack,
            ceiling=ceiling,
            log=log,
            noisy=noisy,
            seed=seed,
            random_share=random_share,
            settings={
                "model": model if isinstance(model, str) else type(model).__name__,
                "design": design,
                "n_initial": n,
                "first_cap": first_cap,
                "caps": caps if isinstance(caps, str) else repr(caps),
            },
        )


def _check(*, slack: float, ceiling: float, first_cap: float | None, random_share: float) -> None:
    if not slack >= 1:
        raise ValueError(f"slack must be at least 1, not {slack}")
    if not ceiling > 0:
        raise ValueError(f"ceiling must be positive, not {ceiling}")
    if not 0 <= random_share <= 1:
        raise ValueError(f"random_share must be between 0 and 1, not {random_share}")
    if first_cap is not None and not 0 < first_cap < inf:
        raise ValueError(f"first_cap must be positive, not {first_cap}")


def choose_model(model: str | Model, space: Space, *, log: bool, noisy: bool = False) -> Model:
    """Return the model of this name; "auto" takes the process wherever it can be used."""
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
    """Return the cap rule of this name; an infinite slack caps nothing below the ceiling."""
    if not isinstance(caps, str):
        return caps
    _check_name("caps", caps, CAPS)
    if caps == "information" and slack < inf:
        return InformationRate(ceiling=ceiling, log=log)
    return FixedSlack(slack, ceiling)


class Rounds:
    """Rounds of space-filling configs; each round is drawn once."""

    def __init__(self, space: Space, n: int, *, design: str, seed: int) -> None:
        self._space, self._n, self._seed = space, n, seed
        self._draw = sobol if design == "sobol" else latin_hypercube
        self._drawn: dict[int, Sequence[Config]] = {}

    def __call__(self, number: int) -> Sequence[Config]:
        """Return the distinct configs of a round."""
        if number not in self._drawn:
            rng = np.random.default_rng([self._seed, number] if number else [self._seed])
            rows = self._draw(self._space, self._n, rng)
            self._drawn[number] = list(dict.fromkeys(self._space.decode(row) for row in rows))
        return self._drawn[number]


def default_size(space: Space) -> int:
    """Return the default number of configs of a design."""
    return max(5, 2 * space.n_columns)


def choose_design(
    design: str, space: Space, *, n: int, first_cap: float | None, ceiling: float, capped: bool, seed: int
) -> Design:
    """Return the design of this name; where nothing is capped, each design runs its configs once."""
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
