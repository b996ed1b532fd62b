"""Content: which sections a page has, in their order.

A new section is a module in `sections`, and a line here. A section without figures is not shown.
"""

from collections.abc import Callable, Sequence

from tightrope.report.draw.scale import grouped
from tightrope.report.figure import Figure, Section
from tightrope.report.sections import model
from tightrope.report.sections.ablation import ablation
from tightrope.report.sections.caps import caps
from tightrope.report.sections.comparison import best_of, overlaid
from tightrope.report.sections.coordinates import coordinates
from tightrope.report.sections.error import contradicted, error, typical_error
from tightrope.report.sections.heatmap import heatmap
from tightrope.report.sections.idle import idle, most_at_once
from tightrope.report.sections.importance import importance
from tightrope.report.sections.incumbents import incumbents
from tightrope.report.sections.instances import instances
from tightrope.report.sections.survival import survival
from tightrope.report.sections.trust import coverage, noise
from tightrope.report.sections.workers import workers
from tightrope.report.tuning import Tuning

Fitted = model.Fitted | None


def sections_of(tunings: Sequence[Tuning]) -> list[Section]:
    """Return the sections of a page about these tunings; several are overlaid, and the best one detailed."""
    tuning = best_of(tunings)
    fitted = model.fit(tuning)
    found = [make(tuning, fitted) for make in _SECTIONS]
    if len(tunings) > 1:
        found = overlaid(found, tunings)
    return [section for section in found if not section.is_empty]


def _progress(tuning: Tuning, fitted: Fitted) -> Section:
    return Section("progress", "Progress", figures=[incumbents([tuning])])


def _default_against_best(tuning: Tuning, fitted: Fitted) -> Section:
    return Section(
        "comparison-with-default",
        "Default against best",
        figures=_known([instances(tuning), *survival(tuning)]),
    )


def _time(tuning: Tuning, fitted: Fitted) -> Section:
    progress, wording = tuning.progress, tuning.wording
    facts = [
        ("runs", f"{grouped(progress.n_runs)} of {grouped(progress.n_configs)} configs"),
        ("finished", grouped(progress.n_done)),
        ("cut at their caps", _share(progress.n_capped, progress.n_runs)),
        ("failed", grouped(progress.n_failed)),
        ("spent", wording.spent(progress.spent)),
    ]
    if wording.cost_unit and progress.spared > 0:
        facts.append(("saved by capping, at most", wording.spent(progress.spared)))
    return Section(
        "time", "Where the time went", figures=_known([heatmap(tuning), *caps(tuning)]), facts=facts
    )


def _changes(tuning: Tuning, fitted: Fitted) -> Section:
    return ablation(tuning)


def _matters(tuning: Tuning, fitted: Fitted) -> Section:
    return Section(
        "parameters", "Which parameters matter", figures=[] if fitted is None else importance(tuning, fitted)
    )


def _tried(tuning: Tuning, fitted: Fitted) -> Section:
    belief = None if fitted is None else model.slices(tuning, fitted)
    return Section("tried", "What was tried", figures=_known([coordinates(tuning), belief]))


def _trust(tuning: Tuning, fitted: Fitted) -> Section:
    progress = tuning.progress
    facts = [
        (
            "instances run by the best config",
            f"{grouped(progress.n_seen)} of {grouped(progress.n_instances)}",
        ),
        ("instances used in all", f"{grouped(progress.n_used)} of {grouped(progress.n_instances)}"),
        ("noise", noise(tuning)),
    ]
    figures = [coverage(tuning)]
    if fitted is not None:
        facts.append(("model's error, median", f"a factor of {typical_error(fitted):.2f} on unseen runs"))
        if fitted.data.censored.any():
            facts.append(("bounds above the model's band", f"{contradicted(fitted):.0%} of cut runs"))
        figures.append(error(tuning, fitted))
    warnings = [f"{finding}" for finding in tuning.findings]
    return Section("trust", "Can I trust it?", figures=_known(figures), paragraphs=warnings, facts=facts)


def _workers(tuning: Tuning, fitted: Fitted) -> Section:
    figure = workers(tuning)
    if figure is None:
        return Section("workers", "Workers")
    n_workers = sorted(set(most_at_once(tuning)))
    facts = [
        ("workers", f"{n_workers[-1]}" if len(n_workers) == 1 else f"{n_workers[0]} to {n_workers[-1]}"),
        ("idle", _idle(tuning)),
        ("lost runs", grouped(tuning.progress.n_lost)),
    ]
    return Section("workers", "Workers", figures=[figure], facts=facts)


def _idle(tuning: Tuning) -> str:
    found = idle(tuning)
    if found is None:
        return "not known"
    about = " (estimated: the number of workers changed)" if found.is_estimate else ""
    return f"{found.share:.0%} of their time{about}"


_SECTIONS: Sequence[Callable[[Tuning, Fitted], Section]] = (
    _progress,
    _default_against_best,
    _time,
    _changes,
    _matters,
    _tried,
    _trust,
    _workers,
)


def _known(figures: Sequence[Figure | None]) -> list[Figure]:
    return [figure for figure in figures if figure is not None]


def _share(part: int, whole: int) -> str:
    return f"{grouped(part)} ({part / max(1, whole):.0%})"
