"""Figures and sections of a page."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tightrope.report.draw.plot import Plot, Point
from tightrope.report.draw.table import Table


@dataclass(frozen=True, slots=True)
class Figure:
    """One picture of a page.

    Attributes
    ----------
    name : str
        Its name in links and file names, unique on the page.
    title : str
        The heading.
    reading : str
        One sentence on how to read it.
    alt : str
        What it shows, for people who cannot see it.
    svg : str
        The drawing.
    table : Table
        Its data.
    points : sequence of (x, y, row)
        Places on the drawing that show a row of the table on hover.
    note : str
        What was left out, if anything.
    is_wide : bool
        Whether it takes the whole width of the page.
    is_joined : bool
        Whether hovering draws a line through all points of the same row.
    """

    name: str
    title: str
    reading: str
    alt: str
    svg: str
    table: Table
    points: Sequence[Point] = ()
    note: str = ""
    is_wide: bool = False
    is_joined: bool = False

    @classmethod
    def of(
        cls,
        plot: Plot,
        table: Table,
        *,
        name: str,
        title: str,
        reading: str,
        alt: str,
        note: str = "",
        is_wide: bool = False,
    ) -> "Figure":
        """Return a figure of a finished plot."""
        return cls(name, title, reading, alt, plot.svg(title=alt), table, plot.points, note, is_wide)


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page: paragraphs, rows of facts, then figures. One without content is not shown."""

    name: str
    title: str
    figures: Sequence[Figure] = ()
    paragraphs: Sequence[str] = ()
    facts: Sequence[tuple[str, str]] = field(default=())

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show."""
        return not (self.figures or self.paragraphs or self.facts)
