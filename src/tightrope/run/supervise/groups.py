"""Groups: the control groups in which this process may create one for each run, found by trying."""

import contextlib
import functools
import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

VARIABLE = "TIGHTROPE_GROUPS"  # "off": none; "1" or "2": only this version
_ATTEMPTS, _PAUSE_S = 500, 0.01
_OCTAL = {"\\040": " ", "\\011": "\t", "\\012": "\n", "\\134": "\\"}  # as mountinfo writes blanks


@dataclass(frozen=True, slots=True)
class Groups:
    """Folders of this process's control groups in each hierarchy; empty if not usable.

    Attributes
    ----------
    unified : str
        Version 2: exact CPU time, atomic kill; memory and number of processes if delegated.
    memory_in_unified : bool
        Whether version 2 counts memory.
    pids_in_unified : bool
        Whether version 2 limits the number of processes.
    cpuacct, freezer, memory_group, pids_group : str
        Controllers of version 1.
    """

    unified: str = ""
    memory_in_unified: bool = False
    pids_in_unified: bool = False
    cpuacct: str = ""
    freezer: str = ""
    memory_group: str = ""
    pids_group: str = ""

    def __bool__(self) -> bool:
        return bool(self.unified or self.cpuacct)

    @property
    def counts_memory(self) -> bool:
        """Whether a memory limit covers all that a run holds."""
        return self.memory_in_unified or bool(self.memory_group)

    @property
    def limits_processes(self) -> bool:
        """Whether the number of processes of a run can be limited."""
        return self.pids_in_unified or bool(self.pids_group)

    def __str__(self) -> str:
        if not self:
            return "none"
        version = "version 2" if self.unified else "version 1"
        memory = "exact memory, " if self.counts_memory else ""
        return f"{version}: exact CPU time, {memory}atomic kill"

    def arguments(self, name: str, *, memory: bool, processes: int = 0) -> dict[str, str]:
        """Return the supervisor's arguments for a group of this name.

        `memory` says whether memory is limited; `processes` is their largest number, 0 for no limit.
        """
        if not self:
            return {}
        found = {"group": name, "unified": self.unified, "cpuacct": self.cpuacct, "freezer": self.freezer}
        if memory and self.memory_in_unified:
            found["memory_in_unified"] = "1"
        elif memory:
            found["memory_group"] = self.memory_group
        if processes:
            found |= {"pids_group": self.pids_group, "processes": str(processes)}
        return found

    def end(self, name: str) -> None:
        """Kill all processes of the group of this name, whose supervisor is gone, and remove it."""
        parents = (self.unified, self.cpuacct, self.freezer, self.memory_group, self.pids_group)
        for folder in (f"{parent}/{name}" for parent in parents if parent):
            if os.path.exists(folder):
                _end(Path(folder))


@functools.cache
def find_groups() -> Groups:
    """Return the groups that this process may use: those in which it can create a folder."""
    wanted = os.environ.get(VARIABLE, "")
    if wanted == "off":
        return Groups()
    unified, controllers = _own_folders()
    usable = {name: folder for name, folder in controllers.items() if _can_hold_runs(folder)}
    # Only a folder with a child shows what children can do.
    features = _features_of_child(unified) if unified else set()
    if wanted != "1" and {"cgroup.kill", "cpu.stat"} <= features:
        memory, pids = "memory.max" in features, "pids.max" in features
        memory_folder = "" if memory else usable.get("memory", "")
        pids_folder = "" if pids else usable.get("pids", "")
        return Groups(unified, memory, pids, memory_group=memory_folder, pids_group=pids_folder)
    if wanted != "2" and {"cpuacct", "freezer"} <= usable.keys():
        names = ("cpuacct", "freezer", "memory", "pids")
        cpuacct, freezer, memory_folder, pids_folder = (usable.get(name, "") for name in names)
        return Groups(cpuacct=cpuacct, freezer=freezer, memory_group=memory_folder, pids_group=pids_folder)
    return Groups()


def _own_folders() -> tuple[str, dict[str, str]]:
    """Return this process's folder in version 2, and in each hierarchy of version 1."""
    with contextlib.suppress(OSError):
        own = dict(_read_own(Path("/proc/self/cgroup").read_text()))
        unified, controllers = "", {}
        for line in Path("/proc/self/mountinfo").read_text().splitlines():
            root, point, kind, options = _read_mount(line)
            if kind == "cgroup2" and "" in own:
                unified = _below(own[""], root, point) or unified
            elif kind == "cgroup":
                for name in set(options) & own.keys():
                    controllers[name] = _below(own[name], root, point)
        return unified, {name: folder for name, folder in controllers.items() if folder}
    return "", {}


def _read_own(text: str) -> list[tuple[str, str]]:
    """Return pairs of controller and path; the controller of version 2 is empty."""
    lines = [line.split(":", 2) for line in text.splitlines()]
    return [(name, path) for _, names, path in lines for name in names.split(",")]


def _read_mount(line: str) -> tuple[str, str, str, list[str]]:
    """Return root, mount point, type and options of a line of mountinfo."""
    words = line.split(" ")
    dash = words.index("-")
    root, point = words[3], words[4]
    for code, character in _OCTAL.items():
        root, point = root.replace(code, character), point.replace(code, character)
    return root, point, words[dash + 1], words[dash + 3].split(",")


def _below(path: str, root: str, point: str) -> str:
    """Return where a path of a hierarchy is found if `root` is mounted at `point`; empty if it is not."""
    relative = os.path.relpath(path, root)
    if relative.startswith(".."):
        return ""
    folder = os.path.normpath(os.path.join(point, relative))
    return folder if os.path.isdir(folder) else ""


def _can_hold_runs(folder: str) -> bool:
    return "tasks" in _features_of_child(folder)


def _features_of_child(folder: str) -> set[str]:
    """Return the files of a new child that this process may write or read; none if it cannot create one."""
    child = Path(folder) / f"tightrope-probe-{os.getpid()}"
    try:
        child.mkdir()
    except OSError:
        return set()
    try:
        # Runs are moved from here to there, so both must be ours.
        if not os.access(Path(folder) / "cgroup.procs", os.W_OK):
            return set()
        return {each.name for each in child.iterdir()}
    finally:
        _remove(child)


def _end(folder: Path) -> None:
    for _ in range(_ATTEMPTS):
        if not folder.exists() or _remove(folder):
            return
        _kill(folder)
        time.sleep(_PAUSE_S)


def _kill(folder: Path) -> None:
    with contextlib.suppress(OSError):
        (folder / "cgroup.kill").write_text("1")
        return
    with contextlib.suppress(OSError):
        (folder / "freezer.state").write_text("THAWED")
    with contextlib.suppress(OSError):
        for pid in (folder / "cgroup.procs").read_text().split():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(int(pid), signal.SIGKILL)


def _remove(folder: Path) -> bool:
    try:
        folder.rmdir()
    except OSError:
        return False
    return True
