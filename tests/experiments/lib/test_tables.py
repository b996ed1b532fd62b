"""Tables that grow job by job."""

from importlib import import_module as load

import pytest

pytest.importorskip("matplotlib")


def test_tables_grow_by_jobs_and_keep_one_header(tmp_path):
    table = load("lib.tables")
    path = tmp_path / "new" / "table.csv"
    for number in range(2):
        table.append_rows(path, [{"seed": number, "rmse": 0.5}])
    assert [row["seed"] for row in table.read_rows(path)] == ["0", "1"]
