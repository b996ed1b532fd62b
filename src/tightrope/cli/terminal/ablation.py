"""The table of an ablation: the path from the default over the stripped to the best config."""

from collections.abc import Iterator

from tightrope.cli.terminal import words
from tightrope.cli.terminal.phrases import Kind
from tightrope.compare.ablation.changes import Change
from tightrope.compare.ablation.result import Route
from tightrope.compare.contrast import Claim, Contrast, Estimate
from tightrope.figures.ablation import percent

_Row = tuple[str, ...]

_HEAD: _Row = ("change", "from", "to", "cost after", "ratio (95 %)", "share")
_TO_THE_RIGHT = frozenset({3, 5})  # columns of numbers


def table(route: Route, kind: Kind) -> Iterator[str]:
    """Yield the lines of the table."""
    rows = list(_rows(route, kind))
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
    for row in rows:
        cells = [
            cell.rjust(width) if column in _TO_THE_RIGHT else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield f"  {'  '.join(cells)}".rstrip()


def _rows(route: Route, kind: Kind) -> Iterator[_Row]:
    default, _, _ = route.costs
    yield _HEAD
    yield "the default", "", "", _cost(default, kind), "", ""
    for step in route.steps:
        first, *others = step.changes
        yield (*_change(first), _cost(step.cost, kind), _ratio(step.contrast), percent(step.share))
        for change in others:
            yield (*_change(change), "", "", "")
    if route.others is not None:
        step = route.others
        title = words.count(len(step.changes), "other change")
        yield title, "", "", _cost(step.cost, kind), _ratio(step.contrast), percent(step.share)


def _change(change: Change) -> tuple[str, str, str]:
    before, after = (
        "unused" if each is None else words.value(each) for each in (change.before, change.after)
    )
    return change.name, before, after


def _cost(cost: Estimate, kind: Kind) -> str:
    return f"{'>= ' if cost.is_bound else ''}{kind.cost(cost.mean)}"


def _ratio(contrast: Contrast) -> str:
    """Return how many times less it costs after the step."""
    if contrast.claim is Claim.OPEN:
        return "open"
    ratio = words.times(contrast.ratio, is_bound=contrast.claim is Claim.AT_LEAST)
    if contrast.interval is None:
        return ratio
    low, high = map(words.number, contrast.interval)
    return f"{ratio} ({low} to {high})"
