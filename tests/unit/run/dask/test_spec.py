"""Settings of the Dask executor, and clusters that are not there."""

import sys
from pathlib import Path

import pytest

from tightrope.errors import ExecutorError
from tightrope.run import CommandTarget, Dask

TARGET = CommandTarget("true")


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        (
            {"address": "tcp://a:1", "scheduler_file": "b.json"},
            "address and scheduler_file exclude each other",
        ),
        ({"n_workers": 0}, "n_workers must be at least 1, not 0"),
        ({"patience_s": -1.0}, "patience_s must be"),
        ({"bench_after": 0}, "bench_after must be at least 1"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, object], why: str) -> None:
    with pytest.raises(ExecutorError, match=why):
        Dask(**settings)  # type: ignore[arg-type]


def test_without_dask_one_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ExecutorError, match=r"Dask is not installed; pip install 'tightrope\[dask\]'"):
        Dask().open(TARGET)


def test_a_scheduler_that_is_not_there_is_named() -> None:
    with pytest.raises(ExecutorError, match=r"cannot reach a Dask scheduler at tcp://127\.0\.0\.1:9"):
        Dask("tcp://127.0.0.1:9", patience_s=0.1, log=None).open(TARGET)


def test_a_scheduler_file_that_nobody_wrote_is_named(tmp_path: Path) -> None:
    with pytest.raises(ExecutorError, match=r"scheduler.json: no scheduler wrote this file within 0 s"):
        Dask(scheduler_file=str(tmp_path / "scheduler.json"), patience_s=0.0, log=None).open(TARGET)
