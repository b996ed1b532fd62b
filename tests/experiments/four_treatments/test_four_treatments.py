"""The command that compares four treatments."""

from importlib import import_module as load

import pytest

pytest.importorskip("matplotlib")


def test_the_comparison_of_treatments_prints_a_table_and_draws_a_picture(tmp_path, capsys):
    picture = tmp_path / "new" / "picture.png"
    load("four_treatments.run").main(
        ["--out", str(picture), "--problems", "1", "--runs", "40", "--trees", "5"]
    )
    printed = capsys.readouterr().out
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert all(treatment in printed for treatment in ("sample", "mean", "drop", "ignore"))
    assert printed.rstrip().splitlines()[-1] == f"picture: {picture}"
