"""The result of an ablation: the path from the default over the stripped to the best config."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import nan

from tightrope.compare.ablation.changes import Change, Changes, Chosen
from tightrope.compare.ablation.engine import Engine, Phase
from tightrope.compare.contrast import Contrast, Estimate, estimate
from tightrope.records import Config


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the path.

    Attributes
    ----------
    changes : tuple of Change
        The parameters that change, each with its value before and after; None where it is inactive.
    config : Config
        The config after the step.
    cost : Estimate
        Its mean cost.
    contrast : Contrast
        The mean cost before the step over that after it, with an interval.
    share : float
        Share of the gain: the shares of all steps, and of the other changes, add up to 1.
    """

    changes: tuple[Change, ...]
    config: Config
    cost: Estimate
    contrast: Contrast
    share: float


@dataclass(frozen=True, slots=True)
class Route:
    """The whole path.

    Attributes
    ----------
    default, best, stripped : Config
        The configs. The stripped one has the changes of the steps.
    costs : tuple of Estimate
        Mean costs of these three.
    gain, kept : Contrast
        The default's mean cost over that of the best, and of the stripped config.
    loss : Contrast
        The best config's mean cost over that of the stripped one.
    steps : tuple of Step
        From the default to the stripped config. If the budget ended early, the last one joins the changes
        that have no place yet.
    others : Step or None
        The changes that lead from the stripped to the best config, in one step.
    n_changes : int
        Number of changed parameters between default and best.
    is_stripped, is_complete : bool
        Whether the search for a smaller set ended, and whether every kept change has its own step.
    """

    default: Config
    best: Config
    stripped: Config
    costs: tuple[Estimate, Estimate, Estimate]
    gain: Contrast
    kept: Contrast
    loss: Contrast
    steps: tuple[Step, ...]
    others: Step | None
    n_changes: int
    is_stripped: bool
    is_complete: bool

    @property
    def n_kept(self) -> int:
        """Number of changed parameters between default and stripped config."""
        return sum(len(step.changes) for step in self.steps)

    @property
    def share(self) -> float:
        """Share of the gain that the stripped config keeps."""
        return 1.0 if self.others is None else 1.0 - self.others.share


def route_of(engine: Engine) -> Route | None:
    """Return what an engine has found; None unless both configs are measured."""
    if engine.strip is None:
        return None
    changes, kept = engine.changes, engine.strip.kept
    stripped = _config(changes, kept)
    board = engine.board
    ends = changes.default, changes.best, stripped
    default, best, after = (estimate(board.scores(config), board.objective) for config in ends)
    steps = tuple(_steps(engine, list(_parts(engine, kept)), default.mean - best.mean))
    rest = list(_steps(engine, [changes.all - kept], default.mean - best.mean, start=kept))
    return Route(
        *ends,
        costs=(default, best, after),
        gain=board.contrast(changes.best, changes.default),
        kept=board.contrast(stripped, changes.default),
        loss=board.contrast(stripped, changes.best),
        steps=steps,
        others=rest[0] if rest else None,
        n_changes=len(changes.describe(changes.all)),
        is_stripped=engine.phase in (Phase.PATH, Phase.DONE),
        is_complete=engine.phase is Phase.DONE,
    )


def _parts(engine: Engine, kept: Chosen) -> Iterator[Chosen]:
    """Yield the steps that were decided, and the kept changes that have no place yet."""
    decided = engine.path.steps if engine.path is not None else []
    yield from decided
    yield kept - frozenset[int]().union(*decided)


def _steps(
    engine: Engine, parts: list[Chosen], gain: float, *, start: Chosen = frozenset()
) -> Iterator[Step]:
    board, changes, done = engine.board, engine.changes, start
    for part in filter(None, parts):
        before, after = _config(changes, done), _config(changes, done | part)
        done |= part
        cost = estimate(board.scores(after), board.objective)
        saved = estimate(board.scores(before), board.objective).mean - cost.mean
        share = saved / gain if gain > 0 else nan
        yield Step(changes.describe(part), after, cost, board.contrast(after, before), share)


def _config(changes: Changes, chosen: Chosen) -> Config:
    config = changes.config(chosen)
    assert config is not None, "every config of the path was run"
    return config
