"""Initial designs: which configs are evaluated before there is a model, and under which caps.

A design has no state: what is next follows from the runs so far, so that a history is all there is to save.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from math import inf
from typing import Protocol

from tightrope.records import Config
from tightrope.search.tally import Tally

_MOST_ROUNDS = 64  # by then the cap has grown by a factor of 2**64


@dataclass(frozen=True, slots=True)
class Planned:
    """A config and the cap of its trial."""

    config: Config
    cap: float


class Design(Protocol):
    """Decides the trials before there is a model."""

    def next(self, tally: Tally, *, usual_cap: float) -> Planned | None:
        """Return the next trial, or None when the design is complete."""
        ...


@dataclass(frozen=True, slots=True)
class PlainDesign:
    """Every config once: the first under the ceiling, the others under the usual cap."""

    configs: Sequence[Config]

    def next(self, tally: Tally, *, usual_cap: float) -> Planned | None:
        """Return the next trial, or None when the design is complete."""
        for config in self.configs:
            if not tally.knows(config):
                return Planned(config, usual_cap)
        return None


@dataclass(frozen=True, slots=True)
class DoublingDesign:
    """All configs under a small cap, doubled until one finishes.

    The round in which the first config finishes is completed, so that all have had about the same cap.
    """

    configs: Sequence[Config]
    first_cap: float
    ceiling: float = inf

    def next(self, tally: Tally, *, usual_cap: float) -> Planned | None:
        """Return the next trial, or None when the design is complete."""
        waiting = [config for config in self.configs if not tally.is_pending(config)]
        caps = {config: tally.bound(config) for config in waiting if not tally.is_settled(config)}
        if not caps:
            return None
        config = min(caps, key=caps.__getitem__)  # the first of those with the smallest bound
        reached = max(tally.given(other) for other in self.configs)
        cap = self._next_cap(caps[config])
        if tally.best < inf:
            cap = min(cap, usual_cap)
            if caps[config] >= min(reached, cap):
                return None
        return Planned(config, cap) if cap > caps[config] else None

    def _next_cap(self, bound: float) -> float:
        return min(self.ceiling, self.first_cap if bound == 0.0 else 2.0 * bound)


@dataclass(frozen=True, slots=True)
class RisingDesign:
    """New configs in each round, under a cap that doubles from round to round until one finishes.

    No config is run twice: where most configs are expensive, trying more of them under a small cap finds a
    cheap one sooner than continuing a few. The round in which the first config finishes is completed.
    """

    rounds: Callable[[int], Sequence[Config]]  # the configs of a round, counted from 0
    first_cap: float
    ceiling: float = inf

    def next(self, tally: Tally, *, usual_cap: float) -> Planned | None:
        """Return the next trial, or None when the design is complete."""
        cap = min(self.first_cap, self.ceiling)
        for number in count():
            for config in self.rounds(number):
                if not tally.knows(config):
                    return Planned(config, min(cap, usual_cap))
            begun = any(tally.knows(config) for config in self.rounds(number + 1))
            if (tally.best < inf and not begun) or cap == self.ceiling or number == _MOST_ROUNDS:
                return None
            cap = min(2.0 * cap, self.ceiling)
        raise AssertionError("there is always a next round")
