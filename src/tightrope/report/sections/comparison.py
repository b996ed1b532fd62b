"""Several tunings side by side."""

from collections.abc import Sequence

from tightrope.report.figure import Section
from tightrope.report.sections.incumbents import incumbents
from tightrope.report.tuning import Tuning


def best_of(tunings: Sequence[Tuning]) -> Tuning:
    """Return the tuning whose best config has the lowest cost: validated if all are, else estimated."""
    if all(tuning.validation is not None for tuning in tunings):
        return min(tunings, key=lambda tuning: _validated(tuning))
    return min(tunings, key=lambda tuning: tuning.progress.cost.mean)


def _validated(tuning: Tuning) -> float:
    assert tuning.validation is not None
    return tuning.validation.contenders[-1].cost.mean


def comparison(tunings: Sequence[Tuning]) -> Section:
    """Overlay the incumbents of several tunings."""
    return Section(
        "comparison",
        f"{len(tunings)} tunings compared",
        figures=[incumbents(tunings)],
        paragraphs=[
            f"The sections below show {best_of(tunings).name}, whose best config has the lowest mean cost. "
            "For another one, make a report of its folder alone."
        ],
    )


def comparison_rows(tunings: Sequence[Tuning]) -> list[tuple[str, ...]]:
    """Return the head and a row for each tuning."""
    rows: list[tuple[str, ...]] = [("tuning", "best", "mean cost", "tasks", "runs", "cut", "spent")]
    for tuning in tunings:
        progress, wording = tuning.progress, tuning.wording
        bound = ">= " if progress.cost.is_bound else ""
        rows.append(
            (
                tuning.name,
                f"#{progress.number}",
                f"{bound}{wording.cost(progress.cost.mean)}",
                str(progress.cost.n_tasks),
                f"{progress.n_runs:,}",
                f"{progress.n_capped / max(1, progress.n_runs):.0%}",
                wording.spent(progress.spent),
            )
        )
    if any(tuning.validation is not None for tuning in tunings):
        validated = [
            "not yet" if tuning.validation is None else tuning.wording.cost(_validated(tuning))
            for tuning in tunings
        ]
        rows = [(*row, cell) for row, cell in zip(rows, ["validated", *validated], strict=True)]
    return rows
