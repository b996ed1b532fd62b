"""Optimizer: ask for a trial, evaluate it under its cap, tell its cost."""

import json
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from math import inf, isfinite
from pathlib import Path
from typing import Any, Self

from tightrope.api.conduct import open_journal
from tightrope.api.result import MinimizeResult
from tightrope.drive import Watch, ignore
from tightrope.errors import Finding
from tightrope.records import (
    Config,
    Finished,
    Improved,
    Noted,
    Outcome,
    Resumed,
    Run,
    Started,
    Status,
    StopKind,
    StopReason,
    Trial,
)
from tightrope.search.cap import CapRule
from tightrope.search.engine import Engine
from tightrope.search.model import Model
from tightrope.search.options import Options
from tightrope.space import Space
from tightrope.space.description import describe_space


class Optimizer:
    """Minimises a cost, one trial at a time: you ask for a trial, evaluate it, and tell its cost.

    Parameters
    ----------
    space : ConfigurationSpace or mapping
        The parameters; see `tightrope.space`.
    slack : float, default=1.3
        A trial's cap is this multiple of the best known cost; inf for no caps.
    ceiling : float, optional
        Largest cap.
    model : {"auto", "forest", "process"} or Model, default="auto"
        The censored forest handles every space. The Gaussian process suits smooth functions of a few numbers,
        and is slow beyond a few hundred evaluations. "auto" takes the process if all parameters are numbers
        without conditions, and otherwise the forest.
    design : {"doubling", "rising", "lhd", "sobol"}, default="doubling"
        How the first configs are chosen and capped. "doubling" runs all of them under a small cap, which is
        doubled until one finishes; "rising" takes new ones whenever the cap doubles; "lhd" (a Latin
        hypercube) and "sobol" run each one once, under the usual cap once there is a best cost.
    n_initial : int, optional
        Number of first configs.
    first_cap : float, optional
        The doubling design's first cap: ceiling/1024 or, without a ceiling, 1.
    caps : {"slack", "information"} or CapRule, default="slack"
        How caps are chosen after the design: by the slack, or to maximise the expected information of a run
        per cost.
    random_share : float, default=0.1
        Share of configs that are drawn at random after the design. They correct a model that is wrong about
        configs of which only bounds are known.
    log : bool, default=True
        Model the logarithm of costs, which must then be positive.
    noisy : bool, default=False
        Whether evaluating a config again may give another cost.
    seed : int, default=0
        Seed of all random choices.
    journal : path, optional
        A file that records every trial and outcome. If it exists, the optimizer resumes from it: `pending`
        has the trials that were asked for and not told. All settings must be the same.
    watch : callable, optional
        Called with each event: `Resumed`, `Started`, `Finished`, `Improved`, `Noted`.

    Examples
    --------
    >>> optimizer = Optimizer({"x": (0.0, 1.0)}, first_cap=0.5)
    >>> for _ in range(20):
    ...     trial = optimizer.ask()
    ...     cost = 1 + 10 * (trial.config["x"] - 0.3) ** 2
    ...     improved = optimizer.tell(trial, min(cost, trial.cap), capped=cost >= trial.cap)
    >>> bool(abs(optimizer.best["x"] - 0.3) < 0.1)
    True
    """

    def __init__(
        self,
        space: Any,
        *,
        slack: float = 1.3,
        ceiling: float | None = None,
        model: str | Model = "auto",
        design: str = "doubling",
        n_initial: int | None = None,
        first_cap: float | None = None,
        caps: str | CapRule = "slack",
        random_share: float = 0.1,
        log: bool = True,
        noisy: bool = False,
        seed: int = 0,
        watch: Watch | None = None,
        journal: str | Path | None = None,
    ) -> None:
        options = Options.of(
            space,
            slack=slack,
            ceiling=ceiling,
            model=model,
            design=design,
            n_initial=n_initial,
            first_cap=first_cap,
            caps=caps,
            random_share=random_share,
            log=log,
            noisy=noisy,
            seed=seed,
        )
        self.space = options.space
        self.findings: list[Finding] = []
        self._engine = Engine(options)
        self._watch = watch or ignore
        self._stack = ExitStack()
        identity = identity_of(options)
        self._journal, past = open_journal(self._stack, journal, self._engine, identity=identity, seed=seed)
        if past.runs or past.pending:
            self._watch(Resumed(tuple(past.runs), tuple(self._engine.trajectory), self.pending, 0.0))

    @property
    def runs(self) -> list[Run]:
        """All runs so far, in the order in which they were told."""
        return self._engine.runs

    @property
    def pending(self) -> tuple[Trial, ...]:
        """The trials that were asked for and not told yet."""
        return self._engine.pending

    @property
    def best(self) -> dict[str, Any] | None:
        """The config with the smallest known cost."""
        config, _ = self._engine.best
        return None if config is None else dict(config)

    @property
    def cost(self) -> float:
        """The smallest known cost; inf if none is known."""
        return self._engine.best[1]

    def ask(self, *, most: float = inf) -> Trial | None:
        """Return a trial, which carries its cap (at most `most`); None if every config has been tried."""
        trial = self._engine.ask(most=most)
        if trial is not None:
            if self._journal is not None:
                self._journal.start(trial)
            self._watch(Started(trial, len(self.pending)))
        return trial

    def tell(
        self,
        trial: Trial,
        cost: float | None = None,
        *,
        capped: bool = False,
        failed: bool = False,
        spent: float | None = None,
        note: str = "",
    ) -> bool:
        """Report how a trial ended; return whether there is a new best config.

        Parameters
        ----------
        trial : Trial
            As `ask` returned it.
        cost : float, optional
            Its cost; with `capped`, the bound it reached (its cap by default).
        capped, failed : bool
            Whether it was stopped, or went wrong.
        spent : float, optional
            What it is charged, if that is not its cost.
        note : str
            Kept with the run.
        """
        if trial not in self.pending:
            is_known = any(run.trial.id == trial.id for run in self.runs)
            problem = "has been told already" if is_known else "was not asked for here"
            raise ValueError(f"trial {trial.id} {problem}")
        status, cost = self._read(trial, cost, capped=capped, failed=failed)
        charged = cost if spent is None else float(spent)
        return self._observe(trial, Outcome(trial.id, status, cost, charged, note=note))

    def tell_run(self, config: Mapping[str, Any], cost: float, *, capped: bool = False) -> bool:
        """Add a run that was measured elsewhere; with `capped`, `cost` is a lower bound."""
        legal = self.space.decode(self.space.encode([config])[0])
        self._check_cost(legal, cost)
        trial = Trial(self._engine.n_trials, legal, cost if capped else inf)
        if self._journal is not None:
            self._journal.start(trial)
        self._engine.adopt(trial)
        status = Status.CAPPED if capped else Status.DONE
        return self._observe(trial, Outcome(trial.id, status, float(cost), 0.0, note="measured elsewhere"))

    def replay(self, runs: Iterable[Run]) -> None:
        """Add the runs of an earlier optimizer with the same settings, and continue as it would have."""
        for run in runs:
            if self._journal is not None:
                self._journal.start(run.trial)
            self._engine.adopt(run.trial)
            self._observe(run.trial, run.outcome)

    def result(self, reason: str = "no further trial was asked for") -> MinimizeResult:
        """Return the result so far."""
        return MinimizeResult.of(self._engine, StopReason(StopKind.UNKNOWN, reason), findings=self.findings)

    def close(self) -> None:
        """Close the journal, if there is one."""
        self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _observe(self, trial: Trial, outcome: Outcome) -> bool:
        if self._journal is not None:
            self._journal.finish(outcome)
        events = self._engine.observe(outcome)
        self._watch(Finished(Run(trial, outcome)))
        for event in events:
            if isinstance(event, Noted):
                self.findings.append(event.finding)
            self._watch(event)
        return any(isinstance(event, Improved) for event in events)

    def _read(self, trial: Trial, cost: float | None, *, capped: bool, failed: bool) -> tuple[Status, float]:
        if failed:
            return Status.FAILED, trial.cap if cost is None and isfinite(trial.cap) else float(cost or 0.0)
        if capped:
            bound = trial.cap if cost is None else float(cost)
            if not isfinite(bound) or bound < trial.cap:
                raise ValueError(f"trial {trial.id} cannot be capped at {bound}: its cap is {trial.cap}")
            return Status.CAPPED, bound
        return Status.DONE, self._check_cost(trial.config, cost)

    def _check_cost(self, config: Config, cost: float | None) -> float:
        positive = self._engine.options.model.log
        if cost is None or not isfinite(cost) or (positive and cost <= 0):
            expected = "a positive number (or log=False)" if positive else "a finite number"
            raise ValueError(f"the cost of {dict(config)} must be {expected}, not {cost}")
        return float(cost)


def identity_of(options: Options, **others: object) -> str:
    """Return a text that is the same for searches with the same settings; budget and function may differ."""
    settings: dict[str, Any] = {
        "space": describe_space(Space.of(options.space).configspace),
        **options.settings,
        "slack": options.slack,
        "ceiling": options.ceiling,
        "log": options.log,
        "noisy": options.noisy,
        "random_share": options.random_share,
    }
    return json.dumps(settings | others, default=repr)
