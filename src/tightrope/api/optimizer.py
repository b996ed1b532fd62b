"""Optimizer: ask for a trial, evaluate it under its cap, tell what came out."""

from collections.abc import Iterable, Mapping
from math import inf, isfinite
from typing import Any

from tightrope.api.result import Result
from tightrope.records import Config, Outcome, Run, Status, Trial
from tightrope.search.cap import CapRule
from tightrope.search.engine import Engine, Plan
from tightrope.search.model import Model
from tightrope.search.options import choose_caps, choose_design, choose_model, default_size
from tightrope.space import Space


class Optimizer:
    """Minimises a cost that is asked for one trial at a time.

    Parameters
    ----------
    space : ConfigurationSpace or mapping
        What may be chosen; see `tightrope.space`.
    slack : float, default=1.3
        A trial's cap is this multiple of the best cost known; inf for no caps.
    ceiling : float, optional
        Largest cap.
    model : {"auto", "forest", "process"} or Model, default="auto"
        The censored forest takes every space; the Gaussian process is for smooth functions of a few numbers,
        and slow beyond a few hundred evaluations. "auto" takes the process if all parameters are numbers and
        none has a condition, and else the forest.
    design : {"doubling", "rising", "lhd", "sobol"}, default="doubling"
        How the first configs are chosen and capped. "doubling" runs all of them under a small cap, which is
        doubled until one finishes; "rising" takes new ones whenever the cap doubles; "lhd" (a Latin
        hypercube) and "sobol" run each one once, under the usual cap once there is a best cost.
    n_initial : int, optional
        How many there are.
    first_cap : float, optional
        The doubling design's first cap: ceiling/1024 or, without a ceiling, 1.
    caps : {"slack", "information"} or CapRule, default="slack"
        How caps are decided after the design: by the slack, or such that a run is expected to yield the most
        information for its cost.
    random_share : float, default=0.1
        Share of configs that are drawn at random once the design is complete, whatever the model believes: a
        model that is wrong about what it has only seen bounds of finds out this way.
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
    ) -> None:
        self.space = Space.of(space)
        ceiling = inf if ceiling is None else ceiling
        _check(slack=slack, ceiling=ceiling, first_cap=first_cap, random_share=random_share)
        self._engine = Engine(
            Plan(
                self.space,
                choose_design(
                    design,
                    self.space,
                    n=n_initial or default_size(self.space),
                    first_cap=first_cap,
                    ceiling=ceiling,
                    capped=slack < inf,
                    seed=seed,
                ),
                choose_model(model, self.space, log=log, noisy=noisy),
                cap_rule=choose_caps(caps, slack=slack, ceiling=ceiling, log=log),
                ceiling=ceiling,
                noisy=noisy,
                seed=seed,
                random_share=random_share,
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

    def result(self, reason: str = "nobody asked further", *, first_traceback: str = "") -> Result:
        """Sum up what has been told so far: see `Result`."""
        return Result.of(self.runs, self._engine.plan, reason=reason, first_traceback=first_traceback)


def _check(*, slack: float, ceiling: float, first_cap: float | None, random_share: float) -> None:
    if not slack >= 1:
        raise ValueError(f"slack must be at least 1, not {slack}")
    if not ceiling > 0:
        raise ValueError(f"ceiling must be positive, not {ceiling}")
    if not 0 <= random_share <= 1:
        raise ValueError(f"random_share must be between 0 and 1, not {random_share}")
    if first_cap is not None and not 0 < first_cap < inf:
        raise ValueError(f"first_cap must be positive, not {first_cap}")
