"""Which configs become challengers: rivals of old, the model's favourites and random ones, in turn."""

from collections.abc import Iterable, Iterator
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from tightrope.race.baseline import usual_costs
from tightrope.race.model import Favourites, Lessons
from tightrope.race.plan import Plan
from tightrope.race.race import Race
from tightrope.records import Config

Floats = NDArray[np.float64]

_PURPOSE = 3  # of this module's random numbers
_FEWEST = 20  # challengers selected at once


def select_first(plan: Plan, race: Race) -> tuple[Config, ...]:
    """Select the challengers before there is a model: configs that fill the space evenly."""
    rng = np.random.default_rng([plan.seed, _PURPOSE])
    return tuple(_fresh(plan.supply.design(plan.n_design, rng), plan, race))


def select(plan: Plan, race: Race, *, number: int, n: int, with_model: bool) -> tuple[Config, ...]:
    """Select n challengers, or a few more.

    `number` is the decision's, which has random numbers of its own; without the model all are random ones.
    """
    rng = np.random.default_rng([plan.seed, _PURPOSE, number])
    n = max(_FEWEST, n)
    drawn: Iterator[Config] = _fresh(plan.supply.draw(2 * n, rng), plan, race)
    rivals = [config for _, config in sorted(race.rivals(), key=lambda pair: pair[0])[: plan.n_rivals]]
    first = next(drawn, None)
    if first is None:  # nothing is left for the model either
        return tuple(rivals)
    drawn = chain([first], drawn)
    if not (with_model and plan.uses_model):
        return (*rivals, *_take(drawn, n))
    favourites = _favourites(plan, race, rng, n_starts=n // 2)
    return (*rivals, *interleave(favourites, drawn, n=n, share=plan.random_share))


def interleave(
    favourites: Iterator[Config], drawn: Iterator[Config], *, n: int, share: float
) -> list[Config]:
    """Return n configs, of which a share are drawn ones, evenly spread; equal ones once."""
    chosen: dict[Config, None] = {}
    due = 0.0
    for _ in range(n):
        due += share
        source = drawn if due >= 1.0 else favourites
        due -= due >= 1.0
        config = next((config for config in source if config not in chosen), None)
        if config is not None:
            chosen[config] = None
    return list(chosen)


def _favourites(plan: Plan, race: Race, rng: np.random.Generator, *, n_starts: int) -> Iterator[Config]:
    evidence = race.evidence
    lessons = Lessons.of(evidence, race.tasks).after(plan.earlier)
    model = Favourites(
        lessons,
        space=plan.space,
        view=plan.view,
        taste=plan.taste,
        rng=rng,
        usual=_usual(plan, race),
    )
    (incumbent,) = evidence.rows([race.incumbent])
    ranked = model.best_first(plan.supply, incumbent=incumbent, known=evidence.rows(), n_starts=n_starts)
    return (config for config in ranked if not evidence.knows(config))


def _usual(plan: Plan, race: Race) -> Floats | None:
    n = len(plan.instances)  # with one, all costs are multiples of the same
    return usual_costs(race, n, floor=plan.taste.resolution) if plan.relative and n > 1 else None


def _fresh(rows: Floats, plan: Plan, race: Race) -> Iterator[Config]:
    """Yield the configs of rows that have not been tried, equal ones once."""
    seen: set[Config] = set()
    for row in rows:
        config = plan.space.decode(row)
        if config not in seen and not race.evidence.knows(config):
            seen.add(config)
            yield config


def _take(configs: Iterable[Config], n: int) -> list[Config]:
    return [config for config, _ in zip(configs, range(n), strict=False)]
