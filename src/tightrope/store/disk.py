"""The kind of disk that a file is on: SQLite's write-ahead log shares memory, so it needs a local disk."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_MOUNTS: Final = Path("/proc/self/mountinfo")
_NETWORK: Final = frozenset({
    "9p", "acfs", "afpfs", "afs", "beegfs", "ceph", "cifs", "coda", "davfs", "drvfs", "gfs", "gfs2",
    "glusterfs", "gpfs", "lustre", "ncpfs", "nfs", "nfs3", "nfs4", "ocfs2", "orangefs", "panfs", "prl_fs",
    "pvfs2", "smb2", "smb3", "smbfs", "sshfs", "vboxsf", "virtiofs", "vmhgfs", "wekafs",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Disk:
    """The file system that a path is on; `is_network` is also true if that is unknown."""

    filesystem: str
    is_network: bool

    def __str__(self) -> str:
        return f"{'network or unknown' if self.is_network else 'local'} disk ({self.filesystem})"


def disk_of(path: Path, *, mounts: str | None = None) -> Disk:
    r"""Find the disk of a file, which need not exist yet, from the kernel's table of mounts.

    Parameters
    ----------
    path : Path
        The file.
    mounts : str, optional
        The table of mounts, in the format of Linux's mountinfo.

    Examples
    --------
    >>> table = "22 1 0:21 / / rw - ext4 /dev/sda1 rw\n30 22 0:40 / /home rw shared:5 - nfs4 server:/home rw"
    >>> print(disk_of(Path("/home/me/run.journal"), mounts=table))
    network or unknown disk (nfs4)
    """
    if mounts is None:
        if not _MOUNTS.exists():
            return Disk("unknown", is_network=True)
        mounts = _MOUNTS.read_text(encoding="utf-8", errors="surrogateescape")
    folder = path.resolve().parent
    found = ("", Path())
    for line in mounts.splitlines():
        left, separator, right = line.partition(" - ")
        if not separator:
            continue
        point = Path(_unescaped(left.split(" ")[4]))
        # A later mount on the same point hides an earlier one.
        if folder.is_relative_to(point) and len(point.parts) >= len(found[1].parts):
            found = (right.split(" ")[0], point)
    filesystem = found[0] or "unknown"
    return Disk(filesystem, is_network=_is_network(filesystem))


def _is_network(filesystem: str) -> bool:
    """Decide by the name; a user-space (fuse) file system may be a network one, so it counts as one."""
    return filesystem in _NETWORK or filesystem == "unknown" or filesystem.startswith("fuse")


def _unescaped(text: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), text)
