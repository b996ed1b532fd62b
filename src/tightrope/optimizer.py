"""Optimizer: ask for a trial, evaluate it under its cap, tell what came out."""

from collections.abc import Iterable, Mapping
from math import inf, isfinite
from typing import Any

import numpy as np

from tightrope.records import Config, Outcome, Run, Status, Trial
from tightrope.search.cap import FixedSlack
from tightrope.search.engine import Engine, Plan
from tightrope.search.initial import DoublingDesign, PlainDesign
from tightrope.search.model import Model
from tightrope.search.surrogate import ForestModel, ProcessModel
from tightrope.space import Space
from tightrope.space.design import latin_hypercube, sobol


class Optimizer:
    """Minimises a cost that is asked for one trial at a time.

    Parameters
    ----------
    space : ConfigurationSpace or mapping
        What may be chosen; see `tightrope.space`.
    slack : float, default=1.3
        A trial's cap is this multiple of the best cost known; inf for no caps.
    ceiling : float, default=inf
        Largest cap.
    model : {"forest", "process"} or Model, default="forest"
        The censored forest takes every space; the Gaussian process is for smooth functions of a few numbers,
        and slow beyond a few hundred evaluations.
    design : {"doubling", "lhd", "sobol"}, default="doubling"
        How the first configs are chosen and capped.
    n_initial : int, optional
        How many there are.
    first_cap : float, optional
        The doubling design's first cap: ceiling/1024 or, without a ceiling, 1.
    log : bool, default=True
        Model the logarithm of costs, which must then be positive.
    noisy : bool, default=False
        Whether evaluating a config again may give another cost.
    seed : int, default=0
        Everything random follows from it.

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
        ceiling: float = inf,
        model: str | Model = "forest",
        design: str = "doubling",
        n_initial: int | None = None,
        first_cap: float | None = None,
        log: bool = True,
        noisy: bool = False,
        seed: int = 0,
    ) -> None:
        self.space = Space.of(space)
        _check(slack=slack, ceiling=ceiling, first_cap=first_cap)
        rng = np.random.default_rng([seed])
        n_initial = n_initial or max(5, 2 * self.space.n_columns)
        draw = sobol if design == "sobol" else latin_hypercube
        rows = draw(self.space, n_initial, rng)
        configs = list(dict.fromkeys(self.space.decode(row) for row in rows))
        if design == "doubling" and slack < inf:
            first = first_cap or (ceiling / 1024 if isfinite(ceiling) else 1.0)
            initial: PlainDesign | DoublingDesign = DoublingDesign(configs, min(first, ceiling), ceiling)
        elif design in ("doubling", "lhd", "sobol"):
            initial = PlainDesign(configs)
        else:
            raise ValueError(f"design must be 'doubling', 'lhd' or 'sobol', not {design!r}")
        self._engine = Engine(
            Plan(
                self.space,
                initial,
                choose_model(model, self.space, log=log),
                cap_rule=FixedSlack(slack, ceiling),
                ceiling=ceiling,
                noisy=noisy,
                seed=seed,
            )
        )
        self._pending: dict[int, Trial] = {}

    @property
    def runs(self) -> list[Run]:
        """All runs so far, in the order in which they were told."""
        return self._engine.runs

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
        trial = self._engine.decide(most=most)
        if trial is not None:
            self._pending[trial.id] = trial
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
        """Say how a trial ended; return whether there is a new best config.

        Parameters
        ----------
        trial : Trial
            As `ask` gave it.
        cost : float, optional
            What it cost; with `capped`, the bound it reached (its cap by default).
        capped, failed : bool
            Whether it was stopped, or went wrong.
        spent : float, optional
            What it is charged, if that is not its cost.
        note : str
            Kept with the run.
        """
        if trial.id not in self._pending or self._pending[trial.id] != trial:
            known = any(run.trial.id == trial.id for run in self.runs)
            raise ValueError(f"trial {trial.id} {'has been told already' if known else 'is not one of mine'}")
        status, cost = self._read(trial, cost, capped=capped, failed=failed)
        del self._pending[trial.id]
        charged = cost if spent is None else float(spent)
        return self._engine.observe(Outcome(trial.id, status, cost, charged, note=note))

    def _read(self, trial: Trial, cost: float | None, *, capped: bool, failed: bool) -> tuple[Status, float]:
        if failed:
            return Status.FAILED, trial.cap if cost is None and isfinite(trial.cap) else float(cost or 0.0)
        if capped:
            bound = trial.cap if cost is None else float(cost)
            if not isfinite(bound) or bound < trial.cap:
                raise ValueError(f"trial {trial.id} cannot be capped at {bound}: its cap is {trial.cap}")
            return Status.CAPPED, bound
        self._check_cost(trial.config, cost)
        return Status.DONE, float(cost)  # type: ignore[arg-type]

    def _check_cost(self, config: Config, cost: float | None) -> None:
        positive = self._engine.plan.model.log
        if cost is None or not isfinite(cost) or (positive and cost <= 0):
            wanted = "a positive number (or log=False)" if positive else "a finite number"
            raise ValueError(f"the cost of {dict(config)} must be {wanted}, not {cost}")

    def tell_run(self, config: Mapping[str, Any], cost: float, *, capped: bool = False) -> bool:
        """Take in a run that was measured elsewhere; with `capped`, `cost` is a lower bound."""
        legal = self.space.decode(self.space.encode([config])[0])
        self._check_cost(legal, cost)
        trial = Trial(self._engine.n_trials, legal, cost if capped else inf)
        self._engine.adopt(trial)
        status = Status.CAPPED if capped else Status.DONE
        return self._engine.observe(Outcome(trial.id, status, float(cost), 0.0, note="told"))

    def replay(self, runs: Iterable[Run]) -> None:
        """Take in the runs of an earlier optimizer of the same settings, and go on as it would have."""
        for run in runs:
            self._engine.adopt(run.trial)
            self._engine.observe(run.outcome)


def choose_model(model: str | Model, space: Space, *, log: bool) -> Model:
    """Turn a name into a model."""
    if not isinstance(model, str):
        return model
    if model not in ("forest", "process"):
        raise ValueError(f"model must be 'forest' or 'process', not {model!r}")
    if model == "process" and not _is_numeric(space):
        raise ValueError("model='process' needs a space of numbers without conditions: use 'forest'")
    return ProcessModel(log) if model == "process" else ForestModel(log)


def _is_numeric(space: Space) -> bool:
    """Whether all parameters are numbers or ordered, and none has a condition."""
    return not space.categorical.any() and not space.is_parent.any()


def _check(*, slack: float, ceiling: float, first_cap: float | None) -> None:
    if not slack >= 1:
        raise ValueError(f"slack must be at least 1, not {slack}")
    if not ceiling > 0:
        raise ValueError(f"ceiling must be positive, not {ceiling}")
    if first_cap is not None and not 0 < first_cap < inf:
        raise ValueError(f"first_cap must be positive, not {first_cap}")
