"""Whole runs of the public doors as text, so that a change of structure can be seen to change nothing.

Everything is simulated or computed here: equal code gives equal text. Numbers have `digits` significant
digits; 17 show every bit.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from math import inf
from pathlib import Path
from typing import Any

from tightrope import Budget, Capped, Optimizer, Scenario, Tactics, minimize, tune, validate
from tightrope.records import Finished, Run
from tightrope.run import Mishap, Virtual
from tightrope.space import Space

_TABLES = {
    "meta": "SELECT name, value FROM meta WHERE name NOT IN ('version', 'created') ORDER BY name",
    "config": "SELECT id, digest, value FROM config ORDER BY id",
    "task": "SELECT id, instance, seed FROM task ORDER BY id",
    "decision": "SELECT step, number, overhead_s, now_s, challengers, note FROM decision ORDER BY step",
    "trial": "SELECT step, id, config, task, cap FROM trial ORDER BY step",
    "outcome": "SELECT step, trial, status, cost, spent, wall_s, cpu_s, note FROM outcome ORDER BY step",
}
_INSTANCES = tuple(f"i{k:02d}" for k in range(12))
_SPACE = {"x": (0.0, 1.0), "n": (1, 64), "kind": ["a", "b", "c"]}


class Writer:
    """Writes values with a fixed number of significant digits."""

    def __init__(self, digits: int) -> None:
        self._digits = digits

    def __call__(self, value: Any) -> str:
        if isinstance(value, bool) or value is None:
            return str(value)
        if isinstance(value, float):
            return f"{value:.{self._digits}g}"
        if isinstance(value, dict):
            return "{" + ", ".join(f"{key}: {self(each)}" for key, each in value.items()) + "}"
        if isinstance(value, (tuple, list)):
            return "(" + ", ".join(self(each) for each in value) + ")"
        return str(value)

    def run(self, run: Run) -> str:
        """Write a run in one line."""
        trial, outcome = run.trial, run.outcome
        parts = [
            trial.id,
            dict(trial.config),
            trial.task.instance,
            trial.task.seed,
            trial.cap,
            outcome.status.name,
            outcome.cost,
            outcome.spent,
            outcome.note.partition("\n")[0],
        ]
        return " ".join(self(part) for part in parts)


def _cost(config: Any, instance: str, seed: int) -> float | Mishap:
    hardness = 0.2 + 4.0 * ((int(instance[1:] or 0) * 7) % 12) / 12.0
    if config["kind"] == "c" and config["n"] > 40 and instance == "i05":
        return Mishap(at=0.5, note="it crashed")
    shape = 0.3 + 20.0 * (config["x"] - 0.7) ** 2 + 0.02 * abs(config["n"] - 12)
    noise = 1.0 + 0.1 * ((seed * 37 + int(config["n"])) % 5)
    return hardness * shape * noise * {"a": 1.0, "b": 1.6, "c": 0.8}[config["kind"]]


def _features() -> dict[str, tuple[float, ...]]:
    return {name: (float(k % 3), float((k * 7) % 12)) for k, name in enumerate(_INSTANCES)}


def _scenario(**changes: Any) -> Scenario:
    settings: dict[str, Any] = {
        "space": _SPACE,
        "instances": _INSTANCES,
        "ceiling": 20.0,
        "budget": 300.0,
        "par": 10.0,
    }
    return Scenario(**(settings | changes))


def _told(result: Any, write: Writer) -> Iterator[str]:
    yield from (write.run(run) for run in result.history)
    for incumbent in result.trajectory:
        parts = (dict(incumbent.config), incumbent.cost, incumbent.n_tasks, incumbent.is_bound)
        yield f"incumbent {write((*parts, incumbent.spent, incumbent.wall_s))}"
    yield f"best {write((result.best, result.cost, result.n_tasks, result.spent, result.wall_s))}"


def tune_one_slot(write: Writer, folder: Path) -> Iterator[str]:
    """Tune with features, one run at a time, decisions that take time."""
    scenario = _scenario(features=_features())
    yield from _told(tune(scenario, executor=Virtual(_cost, overhead=0.01), seed=3), write)


def tune_four_slots(write: Writer, folder: Path) -> Iterator[str]:
    """Tune with seeds without end, four runs at a time."""
    scenario = _scenario(deterministic=False, budget=Budget(runs=400))
    yield from _told(tune(scenario, executor=Virtual(_cost, slots=4, overhead=0.01), seed=5), write)


def tune_of_the_paper(write: Writer, folder: Path) -> Iterator[str]:
    """Tune with the paper's own tactics."""
    scenario = _scenario(tactics=Tactics.of_the_paper(), par=1.0)
    yield from _told(tune(scenario, executor=Virtual(_cost), seed=1), write)


def tune_list(write: Writer, folder: Path) -> Iterator[str]:
    """Tune over a list of configs, until all have been tried."""
    space = Space.of(_SPACE)
    candidates = [{"x": x / 4, "n": n, "kind": kind} for x in range(5) for n in (4, 12, 60) for kind in "abc"]
    default = dict(space.decode(space.default()))
    scenario = _scenario(candidates=candidates, default=default, budget=5000.0)
    yield from _told(tune(scenario, executor=Virtual(_cost, slots=2), seed=2), write)


def tune_resumed(write: Writer, folder: Path) -> Iterator[str]:
    """Tune with a journal, be interrupted twice, go on; then show the journal's rows."""
    journal = folder / "resumed.journal"
    scenario = _scenario(budget=150.0)
    for most in (17, 40, inf):
        with suppress(KeyboardInterrupt):
            tune(
                scenario,
                journal=journal,
                executor=Virtual(_cost, slots=3, overhead=0.02),
                seed=4,
                watch=_interrupt_after(most),
            )
    yield from _rows(journal, write)


def _interrupt_after(most: float) -> Callable[[Any], None]:
    n = 0

    def watch(event: Any) -> None:
        nonlocal n
        n += isinstance(event, Finished)
        if n >= most:
            raise KeyboardInterrupt

    return watch


def _rows(journal: Path, write: Writer) -> Iterator[str]:
    with closing(sqlite3.connect(journal)) as connection:
        for table, query in _TABLES.items():
            for row in connection.execute(query):
                yield f"{table} {write(row)}"


def _bowl(config: Any, cap: float) -> float | Capped:
    cost = 1.0 + 80.0 * (config["x"] - 0.3) ** 2 + 0.1 * abs(config["n"] - 20)
    cost += {"a": 0.0, "b": 3.0, "c": 9.0}[config["kind"]]
    if config["n"] == 13:
        raise ValueError("13 does not work")
    return cost if cost < cap else Capped(at=cap)


def _minimized(result: Any, write: Writer) -> Iterator[str]:
    yield from (write.run(run) for run in result.history)
    yield f"best {write((result.best, result.cost, result.spent))}"


def minimize_serial(write: Writer, folder: Path) -> Iterator[str]:
    """Minimise with the forest, one evaluation at a time, until the cost is spent."""
    yield from _minimized(minimize(_bowl, _SPACE, budget=400.0, seed=1), write)


def minimize_designs(write: Writer, folder: Path) -> Iterator[str]:
    """Minimise by each of the designs, with a budget of evaluations, and by caps of most information."""
    for design in ("doubling", "rising", "lhd", "sobol"):
        yield design
        budget = Budget(evaluations=25)
        found = minimize(_bowl, _SPACE, budget=budget, design=design, ceiling=50.0, first_cap=4.0, seed=2)
        yield from _minimized(found, write)
    yield "information"
    found = minimize(_bowl, _SPACE, budget=Budget(evaluations=25), caps="information", seed=2)
    yield from _minimized(found, write)


def minimize_parallel(write: Writer, folder: Path) -> Iterator[str]:
    """Minimise with three simulated workers."""

    def cost(config: Any, instance: str, seed: int) -> float | Mishap:
        if config["n"] == 13:
            return Mishap(at=0.5, note="it crashed")
        answer = _bowl(config, inf)
        assert isinstance(answer, float)
        return answer

    for budget in (Budget(cost=300.0), Budget(evaluations=40), Budget(wall=60.0)):
        found = minimize(_bowl, _SPACE, budget=budget, workers=Virtual(cost, slots=3), seed=3)
        yield from _minimized(found, write)


def minimize_noisy(write: Writer, folder: Path) -> Iterator[str]:
    """Minimise what is noisy: configs are evaluated again, and count with their mean."""
    calls = 0

    def noisy(config: Any, cap: float) -> float | Capped:
        nonlocal calls
        calls += 1
        cost = (2.0 + (config["n"] - 3) ** 2) * (1.0 + 0.5 * ((calls * 7919) % 11) / 11.0)
        return cost if cost < cap else Capped(at=cap)

    budget = Budget(evaluations=60)
    yield from _minimized(minimize(noisy, {"n": (1, 6)}, budget=budget, noisy=True, model="forest"), write)


def minimize_process(write: Writer, folder: Path) -> Iterator[str]:
    """Minimise with the Gaussian process; a short run, since linear algebra rounds by the machine."""

    def smooth(config: Any, cap: float) -> float | Capped:
        cost = 1.0 + 100.0 * (config["x"] - 0.3) ** 2 + 10.0 * (config["y"] - 0.6) ** 2
        return cost if cost < cap else Capped(at=cap)

    space = {"x": (0.0, 1.0), "y": (0.0, 1.0)}
    few = Writer(4)
    yield from _minimized(minimize(smooth, space, budget=Budget(evaluations=12), seed=0), few)


def ask_and_tell(write: Writer, folder: Path) -> Iterator[str]:
    """Ask for several trials at a time, and tell them in another order, with runs from elsewhere."""
    optimizer = Optimizer(_SPACE, ceiling=50.0, seed=9)
    optimizer.tell_run({"x": 0.5, "n": 20, "kind": "a"}, 7.0)
    optimizer.tell_run({"x": 0.1, "n": 40, "kind": "b"}, 9.0, capped=True)
    for _ in range(15):
        trials = [trial for trial in (optimizer.ask() for _ in range(3)) if trial is not None]
        for trial in reversed(trials):
            if trial.config["n"] == 13:
                optimizer.tell(trial, failed=True, spent=1.0, note="13")
                continue
            answer = _bowl(trial.config, trial.cap)
            capped = isinstance(answer, Capped)
            optimizer.tell(trial, answer.at if isinstance(answer, Capped) else answer, capped=capped)
    yield from _minimized(optimizer.result(), write)


def validated(write: Writer, folder: Path) -> Iterator[str]:
    """Validate three configs, interrupted once, with a journal; then show its rows."""
    journal = folder / "validation.journal"
    scenario = _scenario(test=[f"i{k:02d}" for k in range(12, 24)], deterministic=False)
    configs = {
        "default": {"x": 0.5, "n": 32, "kind": "a"},
        "best": {"x": 0.7, "n": 12, "kind": "c"},
        "poor": {"x": 0.0, "n": 64, "kind": "b"},
    }
    for most in (19, inf):
        with suppress(KeyboardInterrupt):
            found = validate(
                scenario,
                configs,
                repeat=2,
                journal=journal,
                executor=Virtual(_cost, slots=3),
                watch=_interrupt_after(most),
            )
    yield from (write.run(run) for run in found.history)
    for one in found.contenders:
        parts = (one.name, one.cost.mean, one.cost.interval, one.median, one.n_solved, one.n_timeouts)
        yield f"contender {write((*parts, one.n_failures))}"
    for each in found.matches:
        contrast = each.contrast
        parts = (each.name, contrast.claim.name, contrast.ratio, contrast.interval, contrast.n_cut)
        yield f"match {write((*parts, each.n_better, each.n_worse, each.n_unsolved))}"
    yield from _rows(journal, write)


TRAJECTORIES: dict[str, Callable[[Writer, Path], Iterator[str]]] = {
    "tune-1-slot": tune_one_slot,
    "tune-4-slots": tune_four_slots,
    "tune-paper": tune_of_the_paper,
    "tune-list": tune_list,
    "tune-resumed": tune_resumed,
    "minimize-serial": minimize_serial,
    "minimize-designs": minimize_designs,
    "minimize-parallel": minimize_parallel,
    "minimize-noisy": minimize_noisy,
    "minimize-process": minimize_process,
    "ask-tell": ask_and_tell,
    "validate": validated,
}
