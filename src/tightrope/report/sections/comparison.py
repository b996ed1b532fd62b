"""Several tunings side by side: a table of what they returned, and figures that overlay them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tightrope.compare.contrast import Claim, Estimate, estimate
from tightrope.compare.match import scores_by_config
from tightrope.race.objective import Score
from tightrope.records import Task
from tightrope.report.draw.scale import grouped
from tightrope.report.figure import Figure, Section
from tightrope.report.sections.caps import shares
from tightrope.report.sections.coordinates import returned
from tightrope.report.sections.incumbents import incumbents
from tightrope.report.sections.instances import instances_of_several
from tightrope.report.sections.survival import survivals
from tightrope.report.tuning import Tuning


def best_of(tunings: Sequence[Tuning]) -> Tuning:
    """Return the tuning whose best config has the lowest cost: validated if all are, else estimated."""
    if all(tuning.validation is not None for tuning in tunings):
        return min(tunings, key=lambda tuning: _validated(tuning).mean)
    return min(tunings, key=lambda tuning: tuning.progress.cost.mean)


def _validated(tuning: Tuning) -> Estimate:
    assert tuning.validation is not None
    return tuning.validation.contenders[-1].cost


def overlaid(sections: Sequence[Section], tunings: Sequence[Tuning]) -> list[Section]:
    """Put the figures of all tunings before those of the best one, which are named after it."""
    shared = _shared(tunings)
    name = best_of(tunings).name
    replaced = {figure.name for figures in shared.values() for figure in figures}
    found = []
    for section in sections:
        own = [figure for figure in section.figures if figure.name not in replaced]
        named = [replace(figure, title=f"{figure.title}: {name}") for figure in own]
        facts = [("tuning", name), *section.facts] if section.facts else ()
        notes = section.paragraphs if section.name != "trust" else _findings(tunings)
        figures = [*shared.get(section.name, ()), *named]
        found.append(replace(section, figures=figures, facts=facts, paragraphs=notes))
    return found


def _findings(tunings: Sequence[Tuning]) -> list[str]:
    return [f"{tuning.name}: {finding}" for tuning in tunings for finding in tuning.findings]


def _shared(tunings: Sequence[Tuning]) -> Mapping[str, Sequence[Figure]]:
    """Return the figures that show all tunings, by their sections."""
    one_by_one = [instances_of_several(tunings), shares(tunings), returned(tunings)]
    instances, cut, configs = ([] if figure is None else [figure] for figure in one_by_one)
    return {
        "progress": [incumbents(tunings)],
        "comparison-with-default": [*instances, *survivals(tunings)],
        "time": cut,
        "tried": configs,
    }


_HEAD = (
    "training mean", "95 % interval", "tasks", "not solved", "default over best", "runs", "cut", "spent",
)  # fmt: skip


def comparison_rows(tunings: Sequence[Tuning]) -> list[tuple[str, ...]]:
    """Return the head and a row for each tuning: what its best config costs, and what it took."""
    common, costs = _on_common_tasks(tunings)
    first = [("tuning", "best", *common)]
    for tuning, cost in zip(tunings, costs, strict=True):
        number = tuning.progress.number
        first.append((tuning.name, f"#{number}" if number else "default", *cost))
    if any(tuning.validation for tuning in tunings) and not all(tuning.validation for tuning in tunings):
        cells = ["validated", *(_validated_mean(tuning) for tuning in tunings)]
        first = [(*row, cell) for row, cell in zip(first, cells, strict=True)]
    rest = [_HEAD, *(_row(tuning) for tuning in tunings)]
    return [(*row, *more) for row, more in zip(first, rest, strict=True)]


def _validated_mean(tuning: Tuning) -> str:
    return "not yet" if tuning.validation is None else _cost(tuning, _validated(tuning))


def _row(tuning: Tuning) -> tuple[str, ...]:
    progress, wording = tuning.progress, tuning.wording
    cost, against = progress.cost, progress.against_default
    sign = "≥ " if against.claim is Claim.AT_LEAST else ""
    known = against.claim in (Claim.AT_LEAST, Claim.RATIO)
    return (
        _cost(tuning, cost),
        "" if cost.interval is None else " to ".join(wording.cost(end) for end in cost.interval),
        str(cost.n_tasks),
        str(cost.n_unsolved),
        f"{sign}{against.ratio:.3g}" if known else "",
        grouped(progress.n_runs),
        f"{progress.n_capped / max(1, progress.n_runs):.0%}",
        wording.spent(progress.spent),
    )


def _cost(tuning: Tuning, cost: Estimate) -> str:
    return f"{'≥ ' if cost.is_bound else ''}{tuning.wording.cost(cost.mean)}"


def _on_common_tasks(tunings: Sequence[Tuning]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return the mean costs on the tasks that all best configs were run on: only these compare directly.

    They are cells: a name and a cost for each tuning, or none if there are no such tasks.
    """
    is_validated = all(tuning.validation is not None for tuning in tunings)
    known = [_validated_scores(tuning) if is_validated else _scores(tuning) for tuning in tunings]
    common = set.intersection(*(set(scores) for scores in known))
    if not common:
        return (), [() for _ in tunings]
    costs = [
        estimate({task: scores[task] for task in common}, tuning.objective)
        for tuning, scores in zip(tunings, known, strict=True)
    ]
    name = f"mean on {len(common)} common {'validation' if is_validated else 'training'} tasks"
    return (name,), [(_cost(tuning, cost),) for tuning, cost in zip(tunings, costs, strict=True)]


def _scores(tuning: Tuning) -> Mapping[Task, Score]:
    return tuning.scores(tuning.progress.config)


def _validated_scores(tuning: Tuning) -> Mapping[Task, Score]:
    assert tuning.validation is not None
    return scores_by_config(tuning.validation.history).get(tuning.progress.config, {})


def changes_of_several(tunings: Sequence[Tuning]) -> list[tuple[str, list[str], int]]:
    """Return each parameter that a tuning changes: its name, its values, and how many tunings change it."""
    default = tunings[0].progress.default
    configs = [tuning.progress.config for tuning in tunings]
    names = dict.fromkeys([*default, *(name for config in configs for name in config)])
    found = []
    for name in names:
        values = [config.get(name, "unused") for config in (default, *configs)]
        n = sum(value != values[0] for value in values[1:])
        if n:
            found.append((name, [shown_value(value) for value in values], n))
    return sorted(found, key=lambda each: -each[2])


def shown_value(value: object) -> str:
    """Write a parameter's value."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)
