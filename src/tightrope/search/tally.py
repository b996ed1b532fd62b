"""Tally: what is known of each config of a single task."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

from tightrope.records import Config, Run, Status, Trial


@dataclass(slots=True)
class Knowledge:
    """What is known of one config: costs of finished runs, the largest bound, whether a run failed."""

    costs: list[float]
    bound: float = 0.0
    given: float = 0.0
    failed: bool = False

    @property
    def mean(self) -> float:
        """Mean cost of the finished runs, of which there must be one."""
        return sum(self.costs) / len(self.costs)


class Tally:
    """Sums up runs and pending trials; `best` is the smallest mean cost."""

    def __init__(self) -> None:
        self.best = inf
        self.best_config: Config | None = None
        self._known: dict[Config, Knowledge] = {}
        self._pending: dict[Config, int] = {}

    def start(self, trial: Trial) -> None:
        """Add a trial that is under way."""
        self._pending[trial.config] = self._pending.get(trial.config, 0) + 1

    def finish(self, run: Run) -> None:
        """Add the outcome of a pending trial."""
        config, outcome = run.trial.config, run.outcome
        self._pending[config] -= 1
        if self._pending[config] == 0:
            del self._pending[config]
        if outcome.status is Status.LOST:
            return
        known = self._known.setdefault(config, Knowledge([]))
        known.given = max(known.given, run.trial.cap)
        if outcome.status is Status.FAILED:
            known.failed = True
        elif outcome.status is Status.CAPPED:
            known.bound = max(known.bound, outcome.cost)
        else:
            known.costs.append(outcome.cost)
            self._compare(config, known)

    def _compare(self, config: Config, known: Knowledge) -> None:
        mean = known.mean
        if config == self.best_config and mean > self.best:  # noise: another config may be better now
            self.best, self.best_config = self._smallest_mean()
        elif config == self.best_config or mean < self.best:
            self.best, self.best_config = mean, config

    def _smallest_mean(self) -> tuple[float, Config]:
        means = ((known.mean, config) for config, known in self._known.items() if known.costs)
        return min(means, key=lambda pair: pair[0])

    def knows(self, config: Config) -> bool:
        """Whether the config was run or is running."""
        return config in self._known or config in self._pending

    def is_pending(self, config: Config) -> bool:
        """Whether the config is running."""
        return config in self._pending

    def is_settled(self, config: Config) -> bool:
        """Whether a run of the config finished or failed."""
        known = self._known.get(config)
        return known is not None and (known.failed or bool(known.costs))

    def bound(self, config: Config) -> float:
        """Return the largest bound known; 0 if there is none."""
        known = self._known.get(config)
        return 0.0 if known is None else known.bound

    def given(self, config: Config) -> float:
        """Return the largest cap among finished trials of the config; 0 if there is none."""
        known = self._known.get(config)
        return 0.0 if known is None else known.given

    def pending(self) -> Iterator[Config]:
        """Return the configs that are running."""
        return iter(self._pending)

    def known(self) -> Iterator[tuple[Config, Knowledge]]:
        """Return the configs that were run, in the order of their first run."""
        return iter(self._known.items())
