"""Plots are SVG that a parser accepts."""

import re
from xml.etree import ElementTree

import numpy as np

from tightrope.report.draw.plot import Plot, tiled
from tightrope.report.draw.scale import Scale


def plot() -> Plot:
    return Plot(Scale(0.0, 10.0), Scale(0.0, 10.0), "a < b & c", "cost [s]")


def test_a_drawing_is_well_formed_and_has_an_alternative_text() -> None:
    drawn = plot()
    drawn.line([0, 1, 2], [1, np.nan, 2], 0, dash=True)
    drawn.steps([0, 1], [1, 2], 1)
    drawn.band([0, 1], [1, 1], [2, 3], 2)
    drawn.marks([1, 2], [3, 4], 3, [0, 1], shape="up")
    drawn.key("<best>", 0)
    root = ElementTree.fromstring(drawn.svg(title='5 "runs" <here>'))
    assert root.get("aria-label") == '5 "runs" <here>'


def test_marks_without_a_place_are_left_out_with_their_rows() -> None:
    drawn = plot()
    drawn.marks([1.0, np.nan, 3.0], [1.0, 2.0, 3.0], 0, [7, 8, 9])
    assert [row for _, _, row in drawn.points] == [7, 9]


def test_a_line_is_interrupted_where_a_value_is_missing() -> None:
    drawn = plot()
    drawn.line([0, 1, 2, 3], [1, np.nan, 1, 1], 0)
    (path,) = re.findall(r'class="s0" d="([^"]*)"', drawn.svg(title=""))
    assert path.count("M") == 2


def test_panels_keep_their_points_at_their_places() -> None:
    first, second = plot(), plot()
    first.marks([5.0], [5.0], 0, [1])
    second.marks([5.0], [5.0], 0, [2])
    _, points = tiled([first, second], n_columns=2, title="both")
    (x1, y1, _), (x2, y2, _) = points
    assert (x2 - x1, y2 - y1) == (first.width, 0)


def test_labels_of_the_horizontal_axis_do_not_overlap() -> None:
    narrow = Plot(Scale(0.0, 9.0, names=["a long name"] * 10), Scale(0.0, 1.0), width=300)
    assert narrow.svg(title="").count("a long name") < 4
