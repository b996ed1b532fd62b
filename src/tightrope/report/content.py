"""Content: which sections a page has, in their order.

A new section is a module in `sections`, and a line here. A section without figures is not shown.
"""

from collections.abc import Callable, Sequence

from tightrope.report.figure import Figure, Section
from tightrope.report.sections import model
from tightrope.report.sections.caps import caps
from tightrope.report.sections.comparison import best_of, overlaid
from tightrope.report.sections.coordinates import coordinates
from tightrope.report.sections.heatmap import heatmap
from tightrope.report.sections.incumbents import incumbents
from tightrope.report.sections.instances import instances
from tightrope.report.sections.survival import survival
from tightrope.report.sections.trust import coverage, noise
from tightrope.report.sections.workers import idle_share, workers
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
        ("runs", f"{progress.n_runs:,} of {progress.n_configs:,} configs"),
        ("finished", f"{progress.n_done:,}"),
        ("cut at their caps", _share(progress.n_capped, progress.n_runs)),
        ("failed", f"{progress.n_failed:,}"),
        ("spent", wording.spent(progress.spent)),
    ]
    if wording.cost_unit and progress.spared > 0:
        facts.append(("saved by capping, at most", wording.spent(progress.spared)))
    return Section(
        "time", "Where the time went", figures=_known([heatmap(tuning), *caps(tuning)]), facts=facts
    )


def _tried(tuning: Tuning, fitted: Fitted) -> Section:
    belief = None if fitted is None else model.slices(tuning, fitted)
    return Section("tried", "What was tried", figures=_known([coordinates(tuning), belief]))


def _trust(tuning: Tuning, fitted: Fitted) -> Section:
    progress = tuning.progress
    facts = [
        ("instances run by the best config", f"{progress.n_seen:,} of {progress.n_instances:,}"),
        ("instances used in all", f"{progress.n_used:,} of {progress.n_instances:,}"),
        ("noise", noise(tuning)),
    ]
    figures = [coverage(tuning)]
    if fitted is not None:
        facts.append(
            ("model's error, median", f"a factor of {model.typical_error(fitted):.2f} on unseen runs")
        )
        figures.append(model.error(tuning, fitted))
    warnings = [f"{finding}" for finding in tuning.findings]
    return Section("trust", "Can I trust it?", figures=_known(figures), paragraphs=warnings, facts=facts)


def _workers(tuning: Tuning, fitted: Fitted) -> Section:
    figure = workers(tuning)
    if figure is None:
        return Section("workers", "Workers")
    idle = idle_share(tuning)
    facts = [
        ("workers", f"{tuning.slots}"),
        ("idle", f"{idle:.0%} of their time" if idle == idle else "not known"),
        ("lost runs", f"{tuning.progress.n_lost:,}"),
    ]
    return Section("workers", "Workers", figures=[figure], facts=facts)


_SECTIONS: Sequence[Callable[[Tuning, Fitted], Section]] = (
    _progress,
    _default_against_best,
    _time,
    _tried,
    _trust,
    _workers,
)


def _known(figures: Sequence[Figure | None]) -> list[Figure]:
    return [figure for figure in figures if figure is not None]


def _share(part: int, whole: int) -> str:
    return f"{part:,} ({part / max(1, whole):.0%})"
