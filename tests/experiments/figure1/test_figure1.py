"""The command of Figure 1."""

from importlib import import_module as load

import pytest

pytest.importorskip("matplotlib")


def test_figure_1_draws_a_picture(tmp_path):
    load("figure1.run").main(["--out", str(tmp_path / "figure1.png"), "--trees", "5"])
    assert (tmp_path / "figure1.png").read_bytes().startswith(b"\x89PNG")
