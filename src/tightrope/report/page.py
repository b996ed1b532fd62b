"""The page: sections and figures as one HTML file that needs nothing else, not even a network."""

import json
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from typing import Any
from urllib.parse import quote

from tightrope.compare.contrast import estimate
from tightrope.report.content import sections_of
from tightrope.report.figure import Figure, Section
from tightrope.report.sections.comparison import (
    best_of,
    changes_of_several,
    comparison_rows,
    shown_value,
)
from tightrope.report.tuning import Tuning

# Forbids every request, so that the page works, and stays private, wherever it is opened.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
_HELP = (
    "Every figure's data can be downloaded as CSV. Move the pointer over a mark, or focus a figure and press "
    "the arrow keys, to read it."
)
_MOST_ALWAYS_SHOWN = 12  # parameters in the table of the best config


def page(tunings: Sequence[Tuning], *, made: str, refresh_s: float | None = None) -> str:
    """Return the report as HTML.

    Parameters
    ----------
    tunings : sequence of Tuning
        What it is about; several are overlaid.
    made : str
        When the report was made, for its foot.
    refresh_s : float or None, default=None
        The page reloads itself after this time.
    """
    tuning, sections = best_of(tunings), sections_of(tunings)
    title = tuning.name if len(tunings) == 1 else f"{len(tunings)} tunings"
    again = f' data-refresh="{refresh_s:g}"' if refresh_s is not None else ""
    parts = [
        f'<!doctype html><html lang="en"{again}><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}: tightrope report</title>",
        f"<style>{_resource('page.css')}</style></head><body>",
        f'<header><p class="kind">tightrope report</p><h1>{escape(title)}</h1>',
        f"{_navigation(sections)}</header><main>",
        _summary(tuning, tunings),
        *(_section(section) for section in sections),
        f"</main><footer><p>Made {escape(made)}{_how_often(refresh_s)}. {_HELP}</p></footer>",
        '<div id="tip" role="status" aria-live="polite" hidden></div>',
        f'<script type="application/json" id="configs">{_json(_configs(tunings, sections))}</script>',
        f"<script>{_resource('page.js')}</script></body></html>\n",
    ]
    return "\n".join(parts)


def _how_often(refresh_s: float | None) -> str:
    return "" if refresh_s is None else f"; it reloads itself every {refresh_s:g} s while the tuning runs"


def _resource(name: str) -> str:
    return (files("tightrope.report") / name).read_text(encoding="utf-8")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _configs(tunings: Sequence[Tuning], sections: Iterable[Section]) -> dict[str, dict[int, str]]:
    """Return what each config in a table changes, by tuning; "" stands for tables without a tuning."""
    best = best_of(tunings)
    known = {"": best} | {tuning.name: tuning for tuning in tunings if len(tunings) > 1}
    wanted: dict[str, set[int]] = {name: set() for name in known}
    for figure in (figure for section in sections for figure in section.figures):
        for name, number in figure.table.configs:
            wanted[name if name in known else ""].add(number)
    return {name: _changes(tuning, wanted[name]) for name, tuning in known.items()}


def _changes(tuning: Tuning, numbers: set[int]) -> dict[int, str]:
    places = {number: place for place, number in enumerate(tuning.number.tolist()) if number in numbers}
    changes = tuning.wording.changes
    return {number: changes(tuning.columns.configs[place]) for number, place in sorted(places.items())}


def _navigation(sections: Sequence[Section]) -> str:
    links = "".join(f'<a href="#{section.name}">{escape(section.title)}</a>' for section in sections)
    return f'<nav aria-label="sections">{links}</nav>'


def _summary(tuning: Tuning, tunings: Sequence[Tuning]) -> str:
    state = '<p class="state">This tuning is still running.</p>' if tuning.is_running else ""
    name = f"{tuning.name}: " if len(tunings) > 1 else ""
    sentences = "".join(f"<p>{escape(line)}</p>" for line in f"{name}{tuning.sentence}".splitlines())
    if tuning.validation is not None:
        sentences += "".join(
            f'<p class="validated">{escape(tuning.validation.sentence(match))}</p>'
            for match in tuning.validation.matches
        )
    several = ""
    if len(tunings) > 1:
        several = (
            f"{_table(comparison_rows(tunings))}<p>Costs on different tasks do not compare directly. The "
            f"config below is that of {escape(tuning.name)}; figures that show one tuning show this one.</p>"
        )
    return (
        f'<section id="summary" class="summary"><h2>Result</h2>{state}<div class="sentence">{sentences}</div>'
        f'{several}{_command(tuning)}<div class="tables"><div>{_costs(tuning)}</div>'
        f"<div>{_parameters(tuning) if len(tunings) == 1 else _parameters_of_several(tunings)}</div></div>"
        "</section>"
    )


def _command(tuning: Tuning) -> str:
    if not tuning.command:
        return ""
    return (
        f'<div class="command"><pre tabindex="0"><code id="command">{_words(tuning.command)}</code></pre>'
        '<button type="button" data-copy="command">Copy</button></div>'
    )


def _words(command: str) -> str:
    """Mark the words of a command, so that lines are not broken inside an option."""
    return " ".join(f"<span>{escape(word)}</span>" for word in command.split(" "))


def _costs(tuning: Tuning) -> str:
    """Return a table of default against best: on training instances and, if validated, on the others."""
    wording, progress = tuning.wording, tuning.progress
    rows = [("", "mean cost", "95 % interval", "tasks", "not solved")]
    shown = [("default, training", estimate(tuning.scores(progress.default), tuning.objective)),
             (f"best #{progress.number}, training", progress.cost)]  # fmt: skip
    if tuning.validation is not None:
        on = tuning.validation.on
        shown += [(f"{one.name}, {on}", one.cost) for one in tuning.validation.contenders]
    for name, cost in shown:
        interval = "" if cost.interval is None else " to ".join(wording.cost(end) for end in cost.interval)
        mean = f"{'≥ ' if cost.is_bound else ''}{wording.cost(cost.mean)}" if cost.n_tasks else "not run"
        rows.append((name, mean, interval, str(cost.n_tasks), str(cost.n_unsolved)))
    return _table(rows)


def _parameters(tuning: Tuning) -> str:
    """Return a table of the parameters that the best config changes; the others can be unfolded."""
    default, best = tuning.progress.default, tuning.progress.config
    names = [*default, *(name for name in best if name not in default)]
    changed = [name for name in names if default.get(name) != best.get(name)]
    same = [name for name in names if name not in changed]
    parts = []
    if changed:
        parts.append(_parameter_table(tuning, changed[:_MOST_ALWAYS_SHOWN]))
    rest = changed[_MOST_ALWAYS_SHOWN:]
    for text, group in ((f"{len(rest)} more changed parameters", rest), (f"{len(same)} unchanged", same)):
        if group:
            parts.append(f"<details><summary>{text}</summary>{_parameter_table(tuning, group)}</details>")
    return "".join(parts)


def _parameter_table(tuning: Tuning, names: Sequence[str]) -> str:
    default, best = tuning.progress.default, tuning.progress.config
    rows: list[tuple[str, ...]] = [("parameter", "default", "best")]
    rows += [
        (name, *(shown_value(config.get(name, "unused")) for config in (default, best))) for name in names
    ]
    return _table(rows)


def _parameters_of_several(tunings: Sequence[Tuning]) -> str:
    """Return a table of what the best configs change, those that most tunings change first."""
    head = ("parameter", "default", *(tuning.name for tuning in tunings))
    rows = [(name, *values) for name, values, _ in changes_of_several(tunings)]
    parts = [_table([head, *rows[:_MOST_ALWAYS_SHOWN]])] if rows else []
    if rest := rows[_MOST_ALWAYS_SHOWN:]:
        summary = f"{len(rest)} more changed parameters"
        parts.append(f"<details><summary>{summary}</summary>{_table([head, *rest])}</details>")
    return "".join(parts)


def _table(rows: Sequence[Sequence[str]]) -> str:
    head, *body = rows
    cells = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    lines = "".join(
        f'<tr><th scope="row">{escape(first)}</th>{"".join(f"<td>{escape(cell)}</td>" for cell in rest)}</tr>'
        for first, *rest in body
    )
    return f'<div class="scroll"><table><thead><tr>{cells}</tr></thead><tbody>{lines}</tbody></table></div>'


def _section(section: Section) -> str:
    facts = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(text)}</dd></div>" for name, text in section.facts
    )
    notes = "".join(f"<li>{escape(text)}</li>" for text in section.paragraphs)
    return (
        f'<section id="{section.name}"><h2>{escape(section.title)}</h2>'
        + (f"<dl>{facts}</dl>" if facts else "")
        + (f'<ul class="notes">{notes}</ul>' if notes else "")
        + f'<div class="figures">{"".join(_figure(figure) for figure in section.figures)}</div></section>'
    )


def _figure(figure: Figure) -> str:
    table = quote(figure.table.csv(), safe=_SAFE, errors="surrogateescape")  # names may not be UTF-8
    link = f"data:text/csv;charset=utf-8,{table}"
    points = [number for x, y, row in figure.points for number in (round(x), round(y), row)]
    kinds = " wide" * figure.is_wide + " joined" * figure.is_joined
    note = f'<p class="note">{escape(figure.note)}</p>' if figure.note else ""
    return (
        f'<figure id="{escape(figure.name)}" class="figure{kinds}"><h3>{escape(figure.title)}</h3>'
        f'<div class="drawing" tabindex="0" role="group" aria-label="{escape(figure.alt)}">{figure.svg}</div>'
        f"<figcaption><p>{escape(figure.reading)}</p>{note}"
        f'<p><a class="csv" download="{escape(figure.name)}.csv" href="{link}">Data as CSV</a></p>'
        "</figcaption>"
        f'<script type="application/json" class="points">{_json(points)}</script></figure>'
    )


_SAFE = "/:;,?@=+$!*()~"
