"""The picture of an ablation, and reading its stages back from JSON."""

import json
from math import isnan, nan

from tightrope.figures import draw_ablation
from tightrope.figures.ablation import PathSummary, Stage

ROW = {
    "title": "",
    "changes": [{"name": "x", "before": None, "after": 0.123456}],
    "cost": 2.0,
    "interval": [1.0, None],
    "is_bound": False,
    "ratio": None,
    "ratio_interval": None,
    "share": None,
}


def test_what_json_cannot_hold_is_read_as_what_it_was() -> None:
    (stage,) = PathSummary.of(json.loads(json.dumps({"sentence": "done", "path": [ROW]}))).stages
    assert stage.interval == (1.0, float("inf"))
    assert isnan(stage.ratio)
    assert isnan(stage.share)
    assert stage.label == "x = 0.1235"


def test_the_stripped_config_has_another_colour_and_long_labels_are_cut() -> None:
    stages = [
        Stage("the default", 9.0, (7.0, 11.0)),
        Stage("", 5.0, changes=(("a" * 60, 0, 1),), share=0.9),
        Stage("", 4.0, changes=(("b", 0, 1),), share=0.1),
        Stage("3 other changes", 4.0, share=nan),
    ]
    (axes,) = draw_ablation(stages).axes
    default, first, stripped, others = (patch.get_facecolor() for patch in axes.patches)
    assert default == others
    assert len({default, first, stripped}) == 3
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert labels[1].endswith("...")
    assert labels[2] == "+ b = 1"
    assert [text.get_text() for text in axes.texts] == ["", "90 %", "10 %", ""]
