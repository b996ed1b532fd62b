"""The figures of the report, each a function of a result, a history or a run folder."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from tightrope.gallery.picture import Picture
from tightrope.gallery.source import Source, tuning_from
from tightrope.report.figure import Figure
from tightrope.report.page import page
from tightrope.report.sections import ablation, error, model, trust, workers
from tightrope.report.sections import caps as caps_
from tightrope.report.sections import coordinates as coordinates_
from tightrope.report.sections import heatmap as heatmap_
from tightrope.report.sections import importance as importance_
from tightrope.report.sections import incumbents as incumbents_
from tightrope.report.sections import instances as instances_
from tightrope.report.sections import survival as survival_
from tightrope.report.tuning import Tuning

_NEEDS_IMPORTANCE = "60 runs, some of which finished, and two parameters of which one has an effect"


def incumbents(*sources: Source, **known: Any) -> Picture:
    """Draw the cost of the best config known at each time, over the cost spent."""
    tunings = _tunings(sources, known)
    return _picture(incumbents_.incumbents(tunings), needs="a run")


def instances(*sources: Source, **known: Any) -> Picture:
    """Draw the default against the best config, instance by instance."""
    tunings = _tunings(sources, known)
    return _picture(
        instances_.instances(tunings[0]) if len(tunings) == 1 else instances_.instances_of_several(tunings),
        needs="a best config other than the default, and instances that both ran",
    )


def share_cut(*sources: Source, **known: Any) -> Picture:
    """Draw the share of runs that were cut, over the cost spent."""
    tunings = _tunings(sources, known)
    return _picture(caps_.shares(tunings), needs="80 runs")


def returned(*sources: Source, **known: Any) -> Picture:
    """Draw the best configs of several sources as lines over the parameters."""
    tunings = _tunings(sources, known)
    return _picture(coordinates_.returned(tunings), needs="sources of one space, and two changed parameters")


def survival(*sources: Source, on: str = "training", **known: Any) -> Picture:
    """Draw the share of tasks solved over the cost allowed, on the training instances or `on="test"`."""
    tunings = _tunings(sources, known)
    found = survival_.survival(tunings[0]) if len(tunings) == 1 else survival_.survivals(tunings)
    return _picture(_named(found, f"survival-{on}"), needs=f"runs on {on} instances")


def heatmap(source: Source, **known: Any) -> Picture:
    """Draw configs by tasks, with the cost of each run as a shade; cut runs are hatched."""
    tuning = tuning_from(source, **known)
    return _picture(heatmap_.heatmap(tuning), needs="two configs and two tasks")


def caps(source: Source, **known: Any) -> Picture:
    """Draw the cap of every run over the cost spent."""
    tuning = tuning_from(source, **known)
    return _picture(next(iter(caps_.caps(tuning)), None), needs="a run")


def saved(source: Source, **known: Any) -> Picture:
    """Draw what was spent, and what capping saved at most."""
    tuning = tuning_from(source, **known)
    return _picture(_named(caps_.caps(tuning), "saved"), needs="cut runs, and a cost that is time")


def coordinates(source: Source, **known: Any) -> Picture:
    """Draw configs as lines over the parameters, with the best 5 % bright."""
    tuning = tuning_from(source, **known)
    return _picture(coordinates_.coordinates(tuning), needs="10 configs and two parameters")


def slices(source: Source, **known: Any) -> Picture:
    """Draw the model's belief along each parameter of the best config."""
    tuning = tuning_from(source, **known)
    return _picture(_modelled(tuning, model.slices), needs="60 runs, some of which finished")


def importance(source: Source, **known: Any) -> Picture:
    """Draw how much of the variation of costs each parameter explains (see `tightrope.importance`)."""
    return _picture(_named(_mattering(source, known), "importance"), needs=_NEEDS_IMPORTANCE)


def interactions(source: Source, **known: Any) -> Picture:
    """Draw how much pairs of parameters explain together beyond their own shares."""
    return _picture(_named(_mattering(source, known), "interactions"), needs=_NEEDS_IMPORTANCE)


def coverage(source: Source, **known: Any) -> Picture:
    """Draw how many runs each instance had."""
    tuning = tuning_from(source, **known)
    return _picture(trust.coverage(tuning), needs="two instances")


def model_error(source: Source, **known: Any) -> Picture:
    """Draw each run's cost against the prediction of a model that did not learn from it."""
    tuning = tuning_from(source, **known)
    return _picture(_modelled(tuning, error.error), needs="60 runs, some of which finished")


def timeline(source: Source, **known: Any) -> Picture:
    """Draw what the workers did over time."""
    tuning = tuning_from(source, **known)
    return _picture(workers.workers(tuning), needs="the times of runs, which only a run folder has")


def ablation_path(source: Source, **known: Any) -> Picture:
    """Draw the mean cost from the default to the best config, change by change."""
    section = ablation.ablation(tuning_from(source, **known))
    needs = "a run folder with an ablation of its best config: tightrope ablate DIR"
    return _picture(next(iter(section.figures), None), needs=needs)


def write_page(file: str | Path, *sources: Source, **known: Any) -> Path:
    """Write the report of results, histories or run folders as one HTML file, and return its path."""
    path = Path(file)
    made = datetime.now().astimezone().isoformat(sep=" ", timespec="minutes")
    path.write_text(page(_tunings(sources, known), made=made), encoding="utf-8")
    return path


def _tunings(sources: Sequence[Source], known: dict[str, Any]) -> list[Tuning]:
    """Return what the sources are about; several results are numbered, and folders have their names."""
    if not sources:
        raise TypeError("a figure needs a result, a History or a run folder")
    found = [tuning_from(source, **known) for source in sources]
    names = [tuning.name for tuning in found]
    return [
        tuning if names.count(tuning.name) == 1 else replace(tuning, name=f"{tuning.name} {i}")
        for i, tuning in enumerate(found, start=1)
    ]


def _named(figures: Sequence[Figure], name: str) -> Figure | None:
    return next((figure for figure in figures if figure.name == name), None)


def _mattering(source: Source, known: dict[str, Any]) -> list[Figure]:
    tuning = tuning_from(source, **known)
    fitted = model.fit(tuning, is_checked=False)
    return [] if fitted is None else importance_.importance(tuning, fitted)


def _modelled(tuning: Tuning, draw: Callable[[Tuning, model.Fitted], Figure | None]) -> Figure | None:
    fitted = model.fit(tuning)
    return None if fitted is None else draw(tuning, fitted)


def _picture(figure: Figure | None, *, needs: str) -> Picture:
    if figure is None:
        raise ValueError(f"there is nothing to draw: this figure needs {needs}")
    return Picture.of(figure)
