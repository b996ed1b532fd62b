"""Picture: a figure of the report, to be shown in a notebook or saved."""

from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from tightrope.report.figure import Figure
from tightrope.store.frame import pandas


@dataclass(frozen=True)
class Picture:
    """A figure of the report, drawn as SVG; a notebook shows it.

    Attributes
    ----------
    title : str
        What it shows.
    reading : str
        How to read it, in a sentence.
    note : str
        What was left out, if anything.
    svg : str
        The drawing.
    """

    title: str
    reading: str
    note: str
    svg: str
    _figure: Figure

    @classmethod
    def of(cls, figure: Figure) -> "Picture":
        """Wrap a figure."""
        return cls(figure.title, figure.reading, figure.note, figure.svg, figure)

    def save(self, path: str | Path) -> Path:
        """Write the drawing (a name that ends in .svg) or its data (.csv), and return the path."""
        file = Path(path)
        texts = {".svg": self.svg, ".csv": self._figure.table.csv()}
        if file.suffix not in texts:
            raise ValueError(
                f"a picture is saved as .svg or .csv, not {file.name}: convert the SVG, "
                "for example with  rsvg-convert  or  inkscape"
            )
        file.write_text(texts[file.suffix], encoding="utf-8")
        return file

    def to_frame(self) -> Any:
        """Return its data as a pandas DataFrame."""
        table = self._figure.table
        return pandas().DataFrame.from_records(table.rows, columns=list(table.columns))

    def _repr_html_(self) -> str:
        width = 980 if self._figure.is_wide else 520
        note = f" <i>{escape(self.note)}</i>" if self.note else ""
        return (
            f'<figure style="max-width:{width}px;background:#fff;color:#1b1f24;margin:0">'
            f"<b>{escape(self.title)}</b>{self.svg}<figcaption>{escape(self.reading)}{note}</figcaption></figure>"
        )

    def __repr__(self) -> str:
        return f"<Picture: {self.title}>"
