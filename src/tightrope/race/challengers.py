"""Selecting challengers: rivals and comebacks, then the model's candidates and random ones in turn."""

from collections.abc import Iterator
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray

from tightrope.race.baseline import baseline_costs
from tightrope.race.comebacks import comebacks
from tightrope.race.model import ModelCandidates
from tightrope.race.plan import Plan
from tightrope.race.race import Race
from tightrope.race.training import TrainingData
from tightrope.records import Config
from tightrope.search.model import MarginalModel

Floats = NDArray[np.float64]

_PURPOSE = 3  # of this module's random numbers
_FEWEST = 20  # challengers selected at once


def select_first(plan: Plan, race: Race) -> tuple[Config, ...]:
    """Select the first challengers: the initial configs, then a space-filling design.

    The design is run with earlier runs as well: it shows whether they are worth learning from.
    """
    initial = dict.fromkeys(config for config in plan.initial if not race.evidence.knows(config))
    rng = np.random.default_rng([plan.seed, _PURPOSE])
    design = _fresh(plan.candidates.design(plan.tactics.n_design, rng), plan, race)
    return (*initial, *(config for config in design if config not in initial))


def select(plan: Plan, race: Race, *, number: int, n: int, with_model: bool) -> tuple[Config, ...]:
    """Select n challengers, or a few more.

    `number` is that of the decision, which seeds its own generator. Without the model all are random.
    """
    rng = np.random.default_rng([plan.seed, _PURPOSE, number])
    n = max(_FEWEST, n)
    drawn: Iterator[Config] = _fresh(plan.candidates.draw(2 * n, rng), plan, race)
    best_rivals = sorted(race.rivals(), key=lambda pair: pair[0])[: plan.tactics.n_rivals]
    rivals = [config for _, config in best_rivals]
    first = next(drawn, None)
    if first is None:  # every config has been tried: the model has nothing to propose either
        return tuple(rivals)
    drawn = chain([first], drawn)
    if not with_model or plan.model is None:
        return (*rivals, *islice(drawn, n))
    model = _fit(plan, race, plan.model, rng)
    ranked = _ranked(plan, race, model, n_starts=n // 2)
    best = next(ranked, None)
    if best is not None:
        rivals += comebacks(race, model.belief, new=plan.space.encode(best)) if race.has_belief else []
        ranked = chain([best], ranked)
    proposed = interleave(ranked, drawn, n=n, share=plan.tactics.random_share)
    return (*dict.fromkeys(rivals), *proposed)


def interleave(ranked: Iterator[Config], drawn: Iterator[Config], *, n: int, share: float) -> list[Config]:
    """Return n distinct configs, of which a share are random ones, evenly spread."""
    chosen: dict[Config, None] = {}
    due = 0.0
    for _ in range(n):
        due += share
        source = drawn if due >= 1.0 else ranked
        due -= due >= 1.0
        config = next((config for config in source if config not in chosen), None)
        if config is not None:
            chosen[config] = None
    return list(chosen)


def _fit(plan: Plan, race: Race, model: MarginalModel, rng: np.random.Generator) -> ModelCandidates:
    data = TrainingData.of(race.evidence, race.tasks)
    return ModelCandidates(data, plan, model, rng=rng, baseline=_baseline(plan, race))


def _ranked(plan: Plan, race: Race, model: ModelCandidates, *, n_starts: int) -> Iterator[Config]:
    """Yield new configs, by the model, best first."""
    evidence = race.evidence
    (incumbent,) = evidence.rows([race.incumbent])
    ranked = model.best_first(plan.candidates, incumbent=incumbent, known=evidence.rows(), n_starts=n_starts)
    return (config for config in ranked if not evidence.knows(config))


def _baseline(plan: Plan, race: Race) -> Floats | None:
    n = len(plan.instances)  # with a single instance a baseline would change nothing
    if not plan.tactics.relative or n == 1:
        return None
    return baseline_costs(race, n, floor=plan.rules.resolution)


def _fresh(rows: Floats, plan: Plan, race: Race) -> Iterator[Config]:
    """Yield the distinct configs of the rows that have not been tried."""
    seen: set[Config] = set()
    for row in rows:
        config = plan.space.decode(row)
        if config not in seen and not race.evidence.knows(config):
            seen.add(config)
            yield config
