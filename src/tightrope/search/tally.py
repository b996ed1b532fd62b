"""What is known of each config of one task: the runs so far, added up."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

from tightrope.records import Config, Run, Status, Trial


@dataclass(slots=True)
class Knowledge:
    """What is known of one config: costs of finished runs, else the largest bound, else that it failed."""

    costs: list[float]
    bound: float = 0.0
    given: float = 0.0
    failed: bool = False


class Tally:
    """Grows by runs and by trials that are still pending."""

    def __init__(self) -> None:
        self.best = inf
        self.best_config: Config | None = None
        self._known: dict[Config, Knowledge] = {}
        self._pending: dict[Config, int] = {}

    def start(self, trial: Trial) -> None:
        """Note that a trial is under way."""
        self._pending[trial.config] = self._pending.get(trial.config, 0) + 1

    def finish(self, run: Run) -> None:
        """Note how a pending trial ended."""
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
        mean = sum(known.costs) / len(known.costs)
        if config == self.best_config:
            self.best = mean
        elif mean < self.best:
            self.best, self.best_config = mean, config

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
        """Return the largest cap that a finished trial of the config had; 0 if there is none."""
        known = self._known.get(config)
        return 0.0 if known is None else known.given

    def pending(self) -> Iterator[Config]:
        """Configs that are running."""
        return iter(self._pending)

    def known(self) -> Iterator[tuple[Config, Knowledge]]:
        """Configs that were run, in the order of their first run."""
        return iter(self._known.items())
