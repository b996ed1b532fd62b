"""Control groups are found by trying, can be switched off, and end what is in them."""

import os
import select
import subprocess
import sys
from pathlib import Path

import pytest

from tightrope.run.supervise.groups import VARIABLE, Groups, find_groups

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="control groups are for Linux")


def found(version: str, monkeypatch: pytest.MonkeyPatch) -> Groups:
    monkeypatch.setenv(VARIABLE, version)
    groups = find_groups.__wrapped__()
    if not groups:
        pytest.skip(f"no control groups of version {version or '1 or 2'} may be created on this machine")
    return groups


def test_they_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "off")
    groups = find_groups.__wrapped__()
    assert (bool(groups), str(groups), groups.arguments("run", memory=True)) == (False, "none", {})


def test_memory_is_grouped_only_if_it_is_limited() -> None:
    groups = Groups(cpuacct="/c", freezer="/f", memory_group="/m")
    assert "memory_group" not in groups.arguments("run", memory=False)
    assert groups.arguments("run", memory=True)["memory_group"] == "/m"
    assert str(groups) == "version 1: exact CPU time, exact memory, atomic kill"


def test_looking_for_them_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    groups = found("", monkeypatch)
    folders = [each for each in (groups.unified, groups.cpuacct, groups.memory_group) if each]
    assert [each for folder in folders for each in Path(folder).glob(f"tightrope-probe-{os.getpid()}")] == []


@pytest.mark.parametrize("version", ["1", "2"])
def test_ending_a_group_kills_its_processes_and_removes_it(
    version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    groups = found(version, monkeypatch)
    name = f"tightrope-test-{os.getpid()}"
    folder = Path(groups.unified or groups.cpuacct) / name
    folder.mkdir()
    process = subprocess.Popen(["sleep", "1000"])
    (folder / "cgroup.procs").write_text(str(process.pid))
    descriptor = os.pidfd_open(process.pid)
    groups.end(name)
    assert select.select([descriptor], [], [], 60.0)[0] == [descriptor]
    os.close(descriptor)
    process.wait()
    assert not folder.exists()


def test_ending_a_group_that_does_not_exist_does_nothing() -> None:
    Groups(unified="/sys/fs/cgroup").end("no-such-group")
