"""The table of measures: a row for each arena and arm, then a row for each arm over all arenas."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from lib.cost_table import Floats
from lib.tables import Row

ALL = "all arenas"
_HEADERS = (
    "arena",
    "arm",
    "seeds",
    "test median",
    "test mean",
    "ratio",
    "search",
    "selection",
    "long",
    "worse promotions",
    "worse than default",
    "runs",
    "tasks",
    "CPU ms/run",
)
Optima = Mapping[str, float]  # best possible training cost, by truth


@dataclass(frozen=True, slots=True)
class Cells:
    """Measures of one arm on one arena; the regrets and the ratio are geometric means."""

    n: int
    median: float
    mean: float
    ratio: float
    error: float  # standard error of the ratio's logarithm
    search: float
    selection: float
    long_share: float
    n_worse_promotions: int
    n_promotions: int
    n_worse_than_default: int
    n_runs: float
    n_tasks: float
    cpu_ms: float


def report(rows: Sequence[Row], arms: Sequence[str]) -> str:
    """Return the table in markdown; ratios are to the first arm on the same seeds.

    The rows over all arenas leave out those that some arm has not been tried on yet.
    """
    optima = find_optima(rows)
    lines = ["| " + " | ".join(_HEADERS) + " |", "| --- " * len(_HEADERS) + "|"]
    complete: list[dict[str, Cells]] = []
    for arena in dict.fromkeys(row["arena"] for row in rows):
        here = [row for row in rows if row["arena"] == arena]
        tried = [arm for arm in arms if any(row["arm"] == arm for row in here)]
        cells = {arm: summarise(here, arm, first=arms[0], optima=optima) for arm in tried}
        lines += [_line(arena, arm, each) for arm, each in cells.items()]
        if tried == list(arms):
            complete.append(cells)
    if complete:
        lines += [_total(arm, [cells[arm] for cells in complete]) for arm in arms]
    return "\n".join(lines)


def find_optima(rows: Iterable[Row]) -> dict[str, float]:
    """Return the best training cost known for each truth: by search, or of any config that was run."""
    optima: dict[str, float] = {}
    for row in rows:
        best = min(float(row["optimum"]), float(row["best_run_cost"]))
        optima[row["truth"]] = min(best, optima.get(row["truth"], np.inf))
    return optima


def summarise(rows: Sequence[Row], arm: str, *, first: str, optima: Optima) -> Cells:
    """Return the measures of an arm from all rows of one arena."""
    own = [row for row in rows if row["arm"] == arm]
    test, train, best = (_numbers(own, key) for key in ("test_cost", "train_cost", "best_run_cost"))
    possible = np.array([optima[row["truth"]] for row in own])
    ratio, error = _ratio(own, [row for row in rows if row["arm"] == first])
    return Cells(
        n=len(own),
        median=float(np.median(test)),
        mean=_geometric_mean(test),
        ratio=ratio,
        error=error,
        search=_geometric_mean(best / possible),
        selection=_geometric_mean(train / best),
        long_share=float(_numbers(own, "long_share").mean()),
        n_worse_promotions=int(_numbers(own, "n_worse_promotions").sum()),
        n_promotions=int(_numbers(own, "n_promotions").sum()),
        n_worse_than_default=int((test > _numbers(own, "default_cost")).sum()),
        n_runs=float(np.median(_numbers(own, "n_runs"))),
        n_tasks=float(np.median(_numbers(own, "n_tasks"))),
        cpu_ms=float(np.median(_numbers(own, "cpu_ms_a_run"))),
    )


def _ratio(own: Iterable[Row], others: Iterable[Row]) -> tuple[float, float]:
    """Return the geometric mean of the ratio of test costs on common seeds, and its logarithm's error."""
    costs = {row["seed"]: float(row["test_cost"]) for row in others}
    pairs = [(float(row["test_cost"]), costs[row["seed"]]) for row in own if row["seed"] in costs]
    if not pairs:
        return np.nan, np.nan
    logs = np.log([cost / other for cost, other in pairs])
    spread = logs.std(ddof=1) if len(logs) > 1 else 0.0
    return float(np.exp(logs.mean())), float(spread / np.sqrt(len(logs)))


def _line(arena: str, arm: str, cells: Cells) -> str:
    texts = [arena, arm, f"{cells.n}", f"{cells.median:.4g}", f"{cells.mean:.4g}", f"{cells.ratio:.3f}"]
    return _join([*texts, *_shared(cells), f"{cells.n_runs:.0f}", f"{cells.n_tasks:.0f}", _ms(cells.cpu_ms)])


def _total(arm: str, cells: Sequence[Cells]) -> str:
    """Return the row of an arm over all arenas, which have equal weights."""
    log = np.mean([np.log(each.ratio) for each in cells])
    error = np.sqrt(sum(each.error**2 for each in cells)) / len(cells)
    total = Cells(
        n=sum(each.n for each in cells),
        median=np.nan,
        mean=np.nan,
        ratio=float(np.exp(log)),
        error=float(error),
        search=_geometric_mean(np.array([each.search for each in cells])),
        selection=_geometric_mean(np.array([each.selection for each in cells])),
        long_share=float(np.mean([each.long_share for each in cells])),
        n_worse_promotions=sum(each.n_worse_promotions for each in cells),
        n_promotions=sum(each.n_promotions for each in cells),
        n_worse_than_default=sum(each.n_worse_than_default for each in cells),
        n_runs=_geometric_mean(np.array([each.n_runs for each in cells])),
        n_tasks=_geometric_mean(np.array([each.n_tasks for each in cells])),
        cpu_ms=float(np.mean([each.cpu_ms for each in cells])),
    )
    low, high = np.exp(log - error), np.exp(log + error)
    ratio = f"{total.ratio:.3f} ({low:.3f} to {high:.3f})"
    ends = [f"{total.n_runs:.0f}", f"{total.n_tasks:.0f}", _ms(total.cpu_ms)]
    return _join([ALL, arm, f"{total.n}", "", "", ratio, *_shared(total), *ends])


def _shared(cells: Cells) -> list[str]:
    return [
        f"{cells.search:.3f}",
        f"{cells.selection:.3f}",
        f"{cells.long_share:.0%}",
        f"{cells.n_worse_promotions}/{cells.n_promotions}",
        f"{cells.n_worse_than_default}/{cells.n}",
    ]


def _ms(cpu_ms: float) -> str:
    return f"{cpu_ms:.2f}"


def _join(texts: Iterable[str]) -> str:
    return "| " + " | ".join(texts) + " |"


def _numbers(rows: Iterable[Row], key: str) -> Floats:
    return np.array([float(row[key]) for row in rows])


def _geometric_mean(values: Floats) -> float:
    return float(np.exp(np.log(values).mean()))
