"""Estimate the terms of the race from what has been run."""

from collections.abc import Sequence
from dataclasses import replace

from tightrope.race.evidence import Evidence
from tightrope.race.tail import Tail
from tightrope.race.terms import Terms, estimate_noise
from tightrope.race.working import working_ceiling

_RECENT_CONFIGS, _RECENT_INCUMBENTS = 200, 5  # that the estimates go by


def estimate_terms(terms: Terms, evidence: Evidence, incumbents: Sequence[int], *, longest: float) -> Terms:
    """Return the terms with ceiling, tail and noise estimated anew; the last incumbent is the present one."""
    scores = evidence.scores(incumbents[-1]).values()
    ceiling = working_ceiling(scores, terms.objective, longest=longest, n_tasks=terms.n_tasks)
    terms = replace(terms, ceiling=ceiling)
    recent = [
        score for number in incumbents[-_RECENT_INCUMBENTS:] for score in evidence.scores(number).values()
    ]
    terms = replace(terms, tail=Tail.of(recent, ceiling=terms.objective.ceiling, working=terms.ceiling))
    others = range(max(0, evidence.n_configs - _RECENT_CONFIGS), evidence.n_configs)
    return replace(
        terms,
        noise=estimate_noise(
            _settled_costs(terms, evidence, incumbents[-1]),
            (_costs(terms, evidence, number) for number in others if number != incumbents[-1]),
        ),
    )


def _settled_costs(terms: Terms, evidence: Evidence, number: int) -> dict[int, float]:
    scores = evidence.scores(number)
    return {task: terms.charge(score) for task, score in scores.items() if terms.is_settled(score)}


def _costs(terms: Terms, evidence: Evidence, number: int) -> dict[int, float]:
    return {task: terms.expect(score) for task, score in evidence.scores(number).items()}
