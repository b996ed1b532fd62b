"""Earlier tunings of the same parameters: their best configs, and their runs, as a new tuning uses them."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from tightrope.errors import Finding, JournalError, Severity, SpaceError
from tightrope.race.objective import Score, better_known, score_of
from tightrope.records import Config, Run, Status, Task
from tightrope.records.files import TUNING_JOURNAL
from tightrope.scenario.scenario import Scenario
from tightrope.scenario.smac3.folder import is_smac3, read_smac3
from tightrope.space import Space
from tightrope.store import History, JournalReader
from tightrope.store.codec import decode, encode
from tightrope.store.reader import is_blank

_EARLIER, _FEATURES = "earlier", "features"  # notes in a journal


class HasHistory(Protocol):
    """A result of `tune`."""

    @property
    def history(self) -> History:
        """All runs."""

    @property
    def best(self) -> Mapping[str, Any]:
        """The best config."""


Source = str | PathLike[str] | History | HasHistory


class Known(NamedTuple):
    """What is known of a config on an instance."""

    config: Config
    instance: str
    score: Score


@dataclass(frozen=True, slots=True)
class EarlierTuning:
    """The best config of an earlier tuning, and its runs that a new one can use.

    `features` are those of instances that the new scenario has no features of.
    """

    best: Config
    runs: tuple[Known, ...]
    features: Mapping[str, Sequence[float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Earlier:
    """What a tuning takes from earlier ones, and how many of their runs it leaves out."""

    tunings: tuple[EarlierTuning, ...] = ()
    n_elsewhere: int = 0  # runs on other instances, without features
    n_outside: int = 0  # runs of configs that are not in the space

    @property
    def n_runs(self) -> int:
        """Number of runs that the model learns from."""
        return sum(len(tuning.runs) for tuning in self.tunings)

    @property
    def best(self) -> tuple[Config, ...]:
        """The best configs."""
        return tuple(dict.fromkeys(tuning.best for tuning in self.tunings))

    def __str__(self) -> str:
        n, m = self.n_runs, len(self.tunings)
        tunings = "an earlier tuning" if m == 1 else f"{m} earlier tunings"
        left_out = f"; left out: {self._left_out()}" if self._left_out() else ""
        return f"{n} run{'s' * (n != 1)} of {tunings} taken in{left_out}"

    def _left_out(self) -> str:
        counts = (
            (self.n_elsewhere, "on other instances, without features to compare them by"),
            (self.n_outside, "with values outside the space"),
        )
        return ", ".join(f"{n} {why}" for n, why in counts if n)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the user should know about it."""
        if not self._left_out():
            return ()
        hint = "see docs/howto/use-earlier-tunings.md" if not self.n_runs else ""
        where = "earlier tunings"
        return (Finding("R08", Severity.WARNING, where, f"runs were left out: {self._left_out()}", hint),)


def find_earlier(
    given: Sequence[Source] | Earlier, scenario: Scenario, *, journal: str | Path | None = None
) -> Earlier:
    """Return what a tuning takes in: what its journal keeps if that exists, else what is given."""
    found = given if isinstance(given, Earlier) else take_in(given, scenario)
    if journal is None or is_blank(Path(journal)):
        return found
    kept = _recall(Path(journal))
    if found.tunings and _write(found) != _write(kept):
        raise JournalError(
            "this journal began with other earlier runs, or none",
            path=str(journal),
            hint="omit `earlier` to resume: the journal keeps what it has taken in",
        )
    return kept


def notes_of(scenario: Scenario, earlier: Earlier) -> dict[str, str]:
    """Return what a journal keeps for its own resumption, and for later tunings."""
    notes = {_EARLIER: _write(earlier)} if earlier.tunings else {}
    if scenario.features is not None:
        rows = {name: [float(x) for x in scenario.features[name]] for name in scenario.instances}
        notes[_FEATURES] = json.dumps(rows)
    return notes


def take_in(sources: Iterable[Source], scenario: Scenario) -> Earlier:
    """Read earlier tunings; raise an error if one is of other parameters, or cannot be read."""
    parts = [_take(source, f"earlier[{i}]", scenario) for i, source in enumerate(sources)]
    return Earlier(
        tuple(tuning for part in parts for tuning in part.tunings),
        sum(part.n_elsewhere for part in parts),
        sum(part.n_outside for part in parts),
    )


def _take(source: Source, name: str, scenario: Scenario) -> Earlier:
    best: Mapping[str, Any] | None = None
    features: Mapping[str, Sequence[float]] = {}
    if isinstance(source, (str, PathLike)):
        name = str(source)
        history, features, best = _read(Path(source))
    elif isinstance(source, History):
        history = source
    else:
        history, best = source.history, source.best
    runs = [run for run in history if run.outcome.status is not Status.LOST]
    legal = _legal({run.trial.config for run in runs}, Space.of(scenario.space), name)
    kept = [run for run in runs if run.trial.config in legal]
    found = legal[Config(best)] if best is not None and Config(best) in legal else legal[_best_of(kept)]
    known = {known: row for known, row in features.items() if known not in (scenario.features or {})}
    usable = {*scenario.instances}
    if scenario.features is not None:
        length = len(scenario.features[scenario.instances[0]])
        known = {name: row for name, row in known.items() if len(row) == length}
        usable |= {*scenario.features, *known}
    used = tuple(_known(kept, legal, usable))
    wanted = {each.instance for each in used} - {*scenario.instances}
    extra = {name: row for name, row in known.items() if name in wanted}
    n_elsewhere = sum(run.trial.task.instance not in usable for run in kept)
    return Earlier((EarlierTuning(found, used, extra),), n_elsewhere, len(runs) - len(kept))


def _known(runs: Iterable[Run], legal: Mapping[Config, Config], usable: set[str]) -> Iterator[Known]:
    """Yield the best that is known of each config on each usable task."""
    scores: dict[tuple[Config, Task], Score] = {}
    for run in runs:
        pair = legal[run.trial.config], run.trial.task
        if run.trial.task.instance in usable:
            scores[pair] = better_known(scores.get(pair), score_of(run.outcome))
    for (config, task), score in scores.items():
        yield Known(config, task.instance, score)


def _read(path: Path) -> tuple[History, Mapping[str, Sequence[float]], Mapping[str, Any] | None]:
    """Read a run folder or a journal, or a run folder of SMAC3.

    Return its runs, its instances' features if it keeps them, and its best config if it names one.
    """
    if is_smac3(path):
        found = read_smac3(path)
        return found.history, found.features, found.best
    file = path / TUNING_JOURNAL if path.is_dir() else path
    if is_blank(file):
        raise JournalError(
            "there is no journal of a tuning here",
            path=str(path),
            hint="give a run folder, such as runs/solver, or one of SMAC3, such as smac3_output/solver/0",
        )
    with JournalReader(file) as reader:
        return reader.history(), json.loads(reader.meta.notes.get(_FEATURES, "{}")), None


def _legal(configs: Iterable[Config], space: Space, name: str) -> dict[Config, Config]:
    """Return the configs that are in the space, as the space has them."""
    legal, problems = {}, []
    for config in configs:
        for parameter in config:
            if parameter not in space.names:
                raise SpaceError(
                    f"{name} tuned other parameters: {parameter!r} is not in this space",
                    hint="only tunings of the same parameters can be taken in",
                )
        try:
            legal[config] = space.decode(space.encode(config))
        except SpaceError as error:
            problems.append(str(error))
    if not legal:
        why = f"no config is in this space: {min(problems)}" if problems else "no run has ended"
        hint = "only finished runs of the same parameters can be taken in"
        raise SpaceError(f"{name} cannot be taken in: {why}", hint=hint)
    return legal


def _best_of(runs: Sequence[Run]) -> Config:
    """Return the last incumbent: the config with the most final results and, of several, the cheapest."""
    ceiling = max(run.trial.cap for run in runs)
    final: dict[Config, dict[Task, float]] = {}
    for run in runs:
        costs = final.setdefault(run.trial.config, {})
        score = score_of(run.outcome)
        if score.exact or score.cost >= ceiling:
            costs[run.trial.task] = min(score.cost, ceiling)
    return min(final, key=lambda config: (-len(final[config]), sum(final[config].values())))


def _write(earlier: Earlier) -> str:
    """Return the tunings as text; what was left out is not kept."""
    written = []
    for tuning in earlier.tunings:
        configs = {config: i for i, config in enumerate(dict.fromkeys([tuning.best, *_configs(tuning)]))}
        instances = {name: i for i, name in enumerate(dict.fromkeys(each.instance for each in tuning.runs))}
        runs = [[configs[each.config], instances[each.instance], *each.score] for each in tuning.runs]
        written.append(
            {
                "configs": [encode(config) for config in configs],
                "instances": list(instances),
                "runs": runs,
                "features": {name: list(map(float, row)) for name, row in tuning.features.items()},
            }
        )
    return json.dumps(written)


def _configs(tuning: EarlierTuning) -> Iterator[Config]:
    return (each.config for each in tuning.runs)


def _recall(journal: Path) -> Earlier:
    """Return what a journal has taken in."""
    with JournalReader(journal) as reader:
        written = json.loads(reader.meta.notes.get(_EARLIER, "[]"))
    tunings = []
    for each in written:
        configs, instances = [decode(text) for text in each["configs"]], each["instances"]
        runs = [Known(configs[c], instances[i], Score(cost, exact)) for c, i, cost, exact in each["runs"]]
        tunings.append(EarlierTuning(configs[0], tuple(runs), each["features"]))
    return Earlier(tuple(tunings))
